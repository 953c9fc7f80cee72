import type { Schemas } from "../../api/client";
import { inLanguage } from "../../lib/language";
import { ChildChooser, isChildKnown } from "../../school/child_chooser";
import { useFiles } from "../../school/resources";
import { AtSchool } from "../../school/rows_of_school";
import { Page } from "../../shell/page";
import { Icon } from "../../ui/icon";
import { Loaded } from "../../ui/loaded";

const texts = inLanguage({
  en: { title: "Files and links", none: "The school has no files and links here.", download: "Download", open: "Open" },
  sv: { title: "Filer och länkar", none: "Skolan har inga filer och länkar här.", download: "Ladda ner", open: "Öppna" },
});

type Item = Schemas["LibraryItem"];

export default function FilesPage() {
  return (
    <Page title={texts.title} back="/app/more">
      <ChildChooser />
      {isChildKnown() && <Files />}
      <AtSchool page="files" />
    </Page>
  );
}

function Files() {
  const files = useFiles();
  return (
    <Loaded resource={files}>
      {({ sections }) => {
        const isEmpty = sections.every(({ categories }) => categories.every(({ items }) => items.length === 0));
        if (isEmpty) return <p class="empty">{texts.none}</p>;
        return sections.map((section, index) => (
          <section key={index} class="stack">
            {section.title && <h2>{section.title}</h2>}
            {section.categories.map((category, place) => (
              <div key={place} class="stack">
                {category.title && <h3 class="quiet">{category.title}</h3>}
                <ul class="rows">
                  {category.items.map((item) => (
                    <ItemRow key={item.url} item={item} />
                  ))}
                </ul>
              </div>
            ))}
          </section>
        ));
      }}
    </Loaded>
  );
}

function ItemRow({ item: { kind, title, description, sizeText, url } }: { item: Item }) {
  const isFile = kind === "file";
  const label = isFile ? texts.download : texts.open;
  return (
    <li class="row file-row">
      <Icon name={isFile ? "attach" : "forward"} />
      <span class="row-main">
        <span class="row-title" dir="auto">
          {title}
        </span>
        {description && <span class="quiet">{description}</span>}
        {sizeText && <span class="quiet">{sizeText}</span>}
      </span>
      <a class="button-quiet" href={url} aria-label={`${label} ${title}`} {...(isFile ? { download: true } : { target: "_blank", rel: "noopener noreferrer" })}>
        {label}
      </a>
    </li>
  );
}
