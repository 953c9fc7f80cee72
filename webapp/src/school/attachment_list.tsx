import { useState } from "preact/hooks";
import type { Schemas } from "../api/client";
import { inLanguage } from "../lib/language";
import { Dialog } from "../ui/dialog";
import { Icon } from "../ui/icon";

const texts = inLanguage({
  en: { title: "Files", show: "Show", download: "Download", away: "The picture cannot be shown. Download it." },
  sv: { title: "Filer", show: "Visa", download: "Ladda ner", away: "Bilden kan inte visas. Ladda ner den." },
});

type Attachment = Schemas["Attachment"];

/** The files of an article or a message: a picture opens here, a PDF in a tab, all can be downloaded. */
export function AttachmentList({ attachments }: { attachments: Attachment[] }) {
  const [shown, setShown] = useState<Attachment | null>(null);
  if (attachments.length === 0) return null;
  return (
    <section class="stack" aria-labelledby="files">
      <h2 id="files">{texts.title}</h2>
      <ul class="rows">
        {attachments.map((file) => (
          <li key={file.id} class="row file-row">
            <Icon name={file.type === "image" ? "image" : "attach"} />
            <span class="row-main">
              <span class="row-title" dir="auto">
                {file.name}
              </span>
              {file.sizeText && <span class="quiet">{file.sizeText}</span>}
            </span>
            <Show file={file} onShow={() => setShown(file)} />
            <a class="button-quiet" href={file.url} download aria-label={`${texts.download} ${file.name}`}>
              {texts.download}
            </a>
          </li>
        ))}
      </ul>
      {shown && (
        <Dialog title={shown.name} onClose={() => setShown(null)}>
          <Picture file={shown} />
        </Dialog>
      )}
    </section>
  );
}

function Show({ file, onShow }: { file: Attachment; onShow: () => void }) {
  const label = `${texts.show} ${file.name}`;
  if (file.type === "image") {
    return (
      <button type="button" class="button-quiet" aria-label={label} onClick={onShow}>
        {texts.show}
      </button>
    );
  }
  if (file.type !== "pdf") return null;
  return (
    <a class="button-quiet" href={inline(file.url)} target="_blank" rel="noopener noreferrer" aria-label={label}>
      {texts.show}
    </a>
  );
}

function Picture({ file }: { file: Attachment }) {
  const [isAway, setIsAway] = useState(false);
  if (isAway) return <p>{texts.away}</p>;
  return <img class="shown-picture" src={inline(file.url)} alt={file.name} onError={() => setIsAway(true)} />;
}

function inline(address: string): string {
  const url = new URL(address);
  url.searchParams.set("inline", "1");
  return url.href;
}
