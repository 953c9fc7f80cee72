/** What the buttons of the toolbar do. */

import type { ChainedCommands, Editor } from "@tiptap/core";
import type { ToolIconName } from "./toolbar_icon";

export interface Tool {
  name: ToolIconName;
  run: (chain: ChainedCommands) => ChainedCommands;
  /** For tools that are on or off where the cursor is. */
  isOn?: (editor: Editor) => boolean;
  isPossible?: (editor: Editor) => boolean;
}

const mark = (name: ToolIconName, type: string): Tool => ({
  name,
  run: (chain) => chain.toggleMark(type),
  isOn: (editor) => editor.isActive(type),
});
const block = (name: ToolIconName, type: string, run: Tool["run"]): Tool => ({
  name,
  run,
  isOn: (editor) => editor.isActive(type),
});
const heading = (name: ToolIconName, level: 1 | 2 | 3): Tool => ({
  name,
  run: (chain) => chain.toggleHeading({ level }),
  isOn: (editor) => editor.isActive("heading", { level }),
});
const align = (name: ToolIconName, textAlign: string): Tool => ({
  name,
  run: (chain) => chain.toggleTextAlign(textAlign),
  // A cell as a whole has an alignment of its own, which the tool does not change.
  isOn: (editor) => ["paragraph", "heading"].some((type) => editor.isActive(type, { textAlign })),
});

/** The tools in groups. The toolbar itself asks for the address of a link. */
export const TOOLS: readonly (readonly Tool[])[] = [
  [
    { name: "undo", run: (chain) => chain.undo(), isPossible: (editor) => editor.can().undo() },
    { name: "redo", run: (chain) => chain.redo(), isPossible: (editor) => editor.can().redo() },
  ],
  [mark("bold", "bold"), mark("italic", "italic"), mark("underline", "underline"), mark("strike", "strike")],
  [heading("heading1", 1), heading("heading2", 2), heading("heading3", 3)],
  [
    block("bulletList", "bulletList", (chain) => chain.toggleBulletList()),
    block("orderedList", "orderedList", (chain) => chain.toggleOrderedList()),
    block("taskList", "taskList", (chain) => chain.toggleTaskList()),
  ],
  [
    { name: "link", run: (chain) => chain, isOn: (editor) => editor.isActive("link") },
    mark("highlight", "highlight"),
    block("quote", "blockquote", (chain) => chain.toggleBlockquote()),
    mark("code", "code"),
    block("codeBlock", "codeBlock", (chain) => chain.toggleCodeBlock()),
    { name: "table", run: (chain) => chain.insertTable(), isPossible: (editor) => !editor.isActive("table") },
  ],
  [mark("subscript", "subscript"), mark("superscript", "superscript")],
  [align("alignLeft", "left"), align("alignCenter", "center"), align("alignRight", "right")],
];

export const TABLE_TOOLS: readonly (readonly Tool[])[] = [
  [
    { name: "addRow", run: (chain) => chain.addRowAfter() },
    { name: "addColumn", run: (chain) => chain.addColumnAfter() },
    { name: "removeRow", run: (chain) => chain.deleteRow() },
    { name: "removeColumn", run: (chain) => chain.deleteColumn() },
    { name: "removeTable", run: (chain) => chain.deleteTable() },
  ],
];
