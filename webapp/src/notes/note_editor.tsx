import { inLanguage } from "../lib/language";
import { Notice } from "../ui/notice";
import { LinkLine } from "./link_line";
import type { RichText } from "./note";
import { Toolbar } from "./toolbar";
import { TABLE_TOOLS, TOOLS } from "./tools";
import { useEditor } from "./use_editor";

const texts = inLanguage({
  en: {
    unknown: "This note has parts that this page cannot show yet. To change it, use the app it was written in.",
    format: "Format",
    table: "Table",
  },
  sv: {
    unknown: "Anteckningen har delar som sidan inte kan visa än. Ändra den i appen som den skrevs i.",
    format: "Format",
    table: "Tabell",
  },
});

export interface NoteEditorProps {
  document: RichText;
  onChange: (read: () => RichText) => void;
}

/** The text of a note with its toolbar. It is loaded by itself, because the editor is large. */
export default function NoteEditor({ document, onChange }: NoteEditorProps) {
  const { holder, editor, state } = useEditor(document, onChange);
  if (editor === null) return <Notice kind="warning">{texts.unknown}</Notice>;
  const focusToolbar = (event: KeyboardEvent & { currentTarget: HTMLElement }) => {
    // The way out of a table, where Tab goes to the next cell.
    if (!event.altKey || event.key !== "F10") return;
    event.preventDefault();
    event.currentTarget.querySelector<HTMLElement>('[role="toolbar"] [tabindex="0"]')?.focus();
  };
  return (
    <div class="note-editor" onKeyDown={focusToolbar}>
      {editor && (
        <div class="note-tools">
          <Toolbar editor={editor} state={state} label={texts.format} groups={TOOLS} />
          {editor.isActive("table") && (
            <Toolbar editor={editor} state={state} label={texts.table} groups={TABLE_TOOLS} />
          )}
          {editor.isActive("link") && <LinkLine address={editor.getAttributes("link")["href"]} />}
        </div>
      )}
      <div ref={holder} />
    </div>
  );
}
