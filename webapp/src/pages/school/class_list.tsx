import { useState } from "preact/hooks";
import type { Schemas } from "../../api/client";
import { inLanguage, language } from "../../lib/language";
import { nameSearch } from "../../lib/name_search";
import { ChildChooser, isChildKnown } from "../../school/child_chooser";
import { Contacts } from "../../school/contacts";
import { useClassList } from "../../school/resources";
import { Page } from "../../shell/page";
import { Avatar } from "../../ui/avatar";
import { Field } from "../../ui/field";
import { Loaded } from "../../ui/loaded";

const texts = inLanguage({
  en: { title: "Class list", find: "Find somebody", none: "Nobody has that name." },
  sv: { title: "Klasslista", find: "Hitta någon", none: "Ingen heter så." },
});

type Pupil = Schemas["Pupil"];

export default function ClassList() {
  return (
    <Page title={texts.title} back="/app/more">
      <ChildChooser />
      {isChildKnown() && <Pupils />}
    </Page>
  );
}

function Pupils() {
  const classList = useClassList();
  const [wanted, setWanted] = useState("");
  return (
    <Loaded resource={classList}>
      {({ students }) => {
        const isWanted = nameSearch(wanted);
        const found = students.filter((each) => isWanted(each.name));
        return (
          <>
            <Field label={texts.find}>
              {(attributes) => <input {...attributes} type="search" value={wanted} onInput={(event) => setWanted(event.currentTarget.value)} />}
            </Field>
            {found.length === 0 && <p class="empty">{texts.none}</p>}
            {[...groupedByClass(found)].map(([name, pupils]) => (
              <section key={name} class="stack">
                {name && <h2>{name}</h2>}
                <ul class="rows">
                  {pupils.map((each, index) => (
                    <PupilRow key={`${each.name}${index}`} pupil={each} />
                  ))}
                </ul>
              </section>
            ))}
          </>
        );
      }}
    </Loaded>
  );
}

function groupedByClass(pupils: Pupil[]): Map<string, Pupil[]> {
  const classes = new Map<string, Pupil[]>();
  const order = new Intl.Collator(language === "sv" ? "sv" : "en");
  for (const each of [...pupils].sort((a, b) => order.compare(a.name, b.name))) {
    const name = each.class ?? "";
    classes.set(name, [...(classes.get(name) ?? []), each]);
  }
  return classes;
}

function PupilRow({ pupil }: { pupil: Pupil }) {
  return (
    <li class="row">
      <Avatar name={pupil.name} />
      <div class="row-main">
        <p class="row-title">{pupil.name}</p>
        {pupil.address && <p class="quiet small">{pupil.address.replace("\n", ", ")}</p>}
        <Contacts name={pupil.name} email={pupil.email} phone={pupil.phone} />
      </div>
    </li>
  );
}
