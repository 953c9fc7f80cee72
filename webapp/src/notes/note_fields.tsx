import type { ComponentType } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { inLanguage } from "../lib/language";
import { reloadForNewVersion } from "../lib/new_version";
import { Notice } from "../ui/notice";
import { MAX_TITLE, ownTitle, shownTitle } from "./note";
import type { NoteEditorProps } from "./note_editor";
import type { NoteSaving, Opened } from "./saving";

const texts = inLanguage({
  en: { title: "Title", failed: "The editor could not be loaded.", retry: "Try again", loading: "Loading …" },
  sv: { title: "Rubrik", failed: "Redigeraren kunde inte laddas.", retry: "Försök igen", loading: "Laddar …" },
});

/** The title and the text. They begin with what was opened, and tell of every change. */
export function NoteFields({ opened, saving }: { opened: Opened; saving: NoteSaving }) {
  const [title, setTitle] = useState(() => ownTitle(opened.title));
  const field = useRef<HTMLInputElement>(null);
  const [Editor, hasFailed] = useEditorFile();
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
      {hasFailed && (
        <Notice kind="error" onRetry={() => location.reload()} retry={texts.retry}>
          {texts.failed}
        </Notice>
      )}
      {Editor && <Editor document={opened.document} onChange={(content) => saving.change({ content })} />}
      {!Editor && !hasFailed && <div class="skeleton" role="status" aria-label={texts.loading} />}
    </>
  );
}

/** The editor is a file of its own. `lazy` would show nothing when it does not come. */
function useEditorFile(): [ComponentType<NoteEditorProps> | undefined, boolean] {
  const [editor, setEditor] = useState<ComponentType<NoteEditorProps>>();
  const [hasFailed, setFailed] = useState(false);
  useEffect(() => {
    import("./note_editor").then(
      (file) => setEditor(() => file.default),
      () => reloadForNewVersion() || setFailed(true),
    );
  }, []);
  return [editor, hasFailed];
}
