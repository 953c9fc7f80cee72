import type { ComponentChildren } from "preact";
import { inLanguage } from "../lib/language";
import { nameSearch } from "../lib/name_search";
import { useKeptState } from "../shell/way_back";
import { Field } from "../ui/field";
import { Notice } from "../ui/notice";
import { children } from "./child";
import type { Parts, Row } from "./each_child";
import { useFeatures, type SchoolPage } from "./features";

const texts = inLanguage({
  en: {
    search: "Search in what is shown",
    none: "Nothing that is shown has these words.",
    missing: (name: string, message: string) => (name ? `${name}: ${message}` : message),
    atSchool: "Open at the school",
  },
  sv: {
    search: "Sök i det som visas",
    none: "Inget som visas innehåller de orden.",
    missing: (name: string, message: string) => (name ? `${name}: ${message}` : message),
    atSchool: "Öppna hos skolan",
  },
});

interface Props<Item> {
  rows: Row<Item>[];
  /** What is searched in of a row, besides the names of the children. */
  wordsOf: (item: Item) => string;
  children: (found: Row<Item>[]) => ComponentChildren;
}

/** A field to search in rows that are loaded, above those that are found. */
export function Searched<Item>({ rows, wordsOf, children: show }: Props<Item>) {
  const [wanted, setWanted] = useKeptState("wanted", "");
  const isWanted = nameSearch(wanted);
  const found = wanted.trim() ? rows.filter((row) => isWanted([wordsOf(row.item), ...row.children.map(({ name }) => name)].join(" "))) : rows;
  return (
    <>
      <Field label={texts.search}>
        {(attributes) => <input {...attributes} type="search" value={wanted} onInput={(event) => setWanted(event.currentTarget.value)} />}
      </Field>
      {found.length === 0 ? <p class="empty">{texts.none}</p> : show(found)}
    </>
  );
}

/** Whose row it is, for a guardian of several. */
export function Whose({ row }: { row: Row<unknown> }) {
  if (children().length < 2) return null;
  return (
    <span class="quiet">
      {row.children.map(({ id, name }) => (
        <span key={id} class="tag">
          {name}
        </span>
      ))}
    </span>
  );
}

/** Says for which children nothing came. */
export function Missing({ missing }: Pick<Parts<unknown>, "missing">) {
  return (
    <>
      {missing.map(({ name, message }) => (
        <Notice key={name} kind="warning">
          {texts.missing(name, message)}
        </Notice>
      ))}
    </>
  );
}

/** A link to the school's own page, for what cannot be shown or done here. */
export function AtSchool({ page }: { page: SchoolPage }) {
  const address = useFeatures().pageOf(page);
  if (!address) return null;
  return (
    <p>
      <a class="link-alone" href={address} target="_blank" rel="noopener noreferrer">
        {texts.atSchool}
      </a>
    </p>
  );
}
