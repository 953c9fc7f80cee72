import type { Editor } from "@tiptap/core";
import type { EditorState } from "@tiptap/pm/state";
import { useState } from "preact/hooks";
import { moveFocus } from "../lib/arrow_keys";
import { inLanguage } from "../lib/language";
import { LinkDialog } from "./link_dialog";
import { ToolbarIcon, type ToolIconName } from "./toolbar_icon";
import type { Tool } from "./tools";

const texts = inLanguage<Record<ToolIconName, string>>({
  en: {
    undo: "Undo",
    redo: "Redo",
    bold: "Bold",
    italic: "Italic",
    underline: "Underline",
    strike: "Strikethrough",
    heading1: "Heading 1",
    heading2: "Heading 2",
    heading3: "Heading 3",
    bulletList: "Bullet list",
    orderedList: "Numbered list",
    taskList: "Task list",
    link: "Link",
    highlight: "Highlight",
    quote: "Quote",
    code: "Code",
    codeBlock: "Code block",
    table: "Table",
    subscript: "Subscript",
    superscript: "Superscript",
    alignLeft: "Align left",
    alignCenter: "Centre",
    alignRight: "Align right",
    addRow: "Add a row",
    addColumn: "Add a column",
    removeRow: "Remove the row",
    removeColumn: "Remove the column",
    removeTable: "Remove the table",
  },
  sv: {
    undo: "Ångra",
    redo: "Gör om",
    bold: "Fet",
    italic: "Kursiv",
    underline: "Understruken",
    strike: "Genomstruken",
    heading1: "Rubrik 1",
    heading2: "Rubrik 2",
    heading3: "Rubrik 3",
    bulletList: "Punktlista",
    orderedList: "Numrerad lista",
    taskList: "Att göra-lista",
    link: "Länk",
    highlight: "Markera",
    quote: "Citat",
    code: "Kod",
    codeBlock: "Kodblock",
    table: "Tabell",
    subscript: "Nedsänkt",
    superscript: "Upphöjd",
    alignLeft: "Vänsterställ",
    alignCenter: "Centrera",
    alignRight: "Högerställ",
    addRow: "Ny rad",
    addColumn: "Ny kolumn",
    removeRow: "Ta bort raden",
    removeColumn: "Ta bort kolumnen",
    removeTable: "Ta bort tabellen",
  },
});

interface Props {
  editor: Editor;
  /** What the buttons show. A component is drawn again only when one of its properties is another. */
  state: EditorState | undefined;
  label: string;
  groups: readonly (readonly Tool[])[];
}

/** Buttons for the text. Tab reaches one of them, the arrow keys the others (WAI-ARIA "toolbar"). */
export function Toolbar({ editor, label, groups }: Props) {
  const [isLinking, setLinking] = useState(false);
  const [reached, setReached] = useState(groups[0]?.[0]?.name);
  const use = (tool: Tool) => (tool.name === "link" ? setLinking(true) : tool.run(editor.chain().focus()).run());
  return (
    <div class="toolbar" role="toolbar" aria-label={label} onKeyDown={(event) => moveFocus(event, ".button-icon")}>
      {groups.map((tools) => (
        <div key={tools[0]?.name} class="toolbar-group">
          {tools.map((tool) => {
            const isPossible = tool.isPossible?.(editor) ?? true;
            return (
              <button
                key={tool.name}
                type="button"
                class="button-icon"
                aria-label={texts[tool.name]}
                title={texts[tool.name]}
                aria-pressed={tool.isOn?.(editor)}
                aria-disabled={!isPossible}
                tabIndex={tool.name === reached ? 0 : -1}
                onFocus={() => setReached(tool.name)}
                // The text keeps the focus, and a phone its keyboard.
                onMouseDown={(event) => event.preventDefault()}
                onClick={() => isPossible && use(tool)}
              >
                <ToolbarIcon name={tool.name} />
              </button>
            );
          })}
        </div>
      ))}
      {isLinking && <LinkDialog editor={editor} onClose={() => setLinking(false)} />}
    </div>
  );
}
