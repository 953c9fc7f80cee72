import { useEffect, useRef, useState } from "preact/hooks";
import { inLanguage } from "../lib/language";
import { reloadForNewVersion } from "../lib/new_version";
import { FileMissing, useLaterFile } from "../ui/later_file";
import { Loading } from "../ui/loaded";
import { MAX_TITLE, ownTitle, shownTitle } from "./note";
import type { NoteSaving, Opened } from "./saving";

const texts = inLanguage({
  en: {
    title: "Title",
    offline: "The editor is not on this device yet. It needs the network once, and works without it afterwards.",
    missing: "The editor could not be loaded.",
  },
  sv: {
    title: "Rubrik",
    offline: "Redigeraren finns inte på enheten än. Den behöver nätet en gång, sedan fungerar den även utan.",
    missing: "Redigeraren kunde inte laddas.",
  },
});

/** A file of its own. What is missing may be that of an older version. */
const loadEditor = () =>
  import("./note_editor").catch((error: unknown) => (reloadForNewVersion() ? new Promise<never>(() => undefined) : Promise.reject(error)));

/** The title and the text. They begin with what was opened, and tell of every change. */
export function NoteFields({ opened, saving }: { opened: Opened; saving: NoteSaving }) {
  const [title, setTitle] = useState(() => ownTitle(opened.title));
  const field = useRef<HTMLInputElement>(null);
  const { file, failure } = useLaterFile(loadEditor);
  const Editor = file?.default;
  const isNew = !title && opened.document.content?.length === 1 && !("content" in (opened.document.content[0] ?? {}));
  useEffect(() => {
    if (isNew) setTimeout(() => field.current?.focus()); // after the page has focused its heading
  }, []);
  const writeTitle = (text: string) => {
    setTitle(text);
    saving.change({ title: text });
  };
  const goToText = (event: KeyboardEvent & { currentTarget: HTMLElement }) => {
    if (event.key !== "Enter" || event.isComposing) return;
    event.preventDefault(); // else it begins a line there
    event.currentTarget.parentElement?.querySelector<HTMLElement>(".note-text")?.focus();
  };
  return (
    <>
      <input
        ref={field}
        class="note-title"
        dir="auto"
        aria-label={texts.title}
        placeholder={shownTitle("")}
        maxLength={MAX_TITLE}
        autocomplete="off"
        value={title}
        onInput={(event) => writeTitle(event.currentTarget.value)}
        onKeyDown={goToText}
      />
      {failure && <FileMissing failure={failure} offline={texts.offline} missing={texts.missing} />}
      {Editor && <Editor document={opened.document} onChange={(content) => saving.change({ content })} />}
      {!Editor && !failure && <Loading />}
    </>
  );
}
