/**
 * The nodes and marks of the editor: those of the API (`notes/richtext/schema.py`), which are a
 * little wider than those of TipTap. What is stored must survive being opened here.
 */

import type { Attributes, Extensions } from "@tiptap/core";
import { Highlight } from "@tiptap/extension-highlight";
import { ListItem, TaskItem, TaskList } from "@tiptap/extension-list";
import { Subscript } from "@tiptap/extension-subscript";
import { Superscript } from "@tiptap/extension-superscript";
import { Table, TableCell, TableHeader, TableRow } from "@tiptap/extension-table";
import { TextAlign } from "@tiptap/extension-text-align";
import { StarterKit } from "@tiptap/starter-kit";
import { inLanguage } from "../lib/language";
import { CodeMark } from "./code_mark";
import { isAccepted } from "./document";
import { addressFrom, isAcceptedLink } from "./link_address";
import { PasteHtml } from "./paste_html";
import { readable, TextStyle } from "./text_style";

const texts = inLanguage({
  en: { task: (text: string) => `Done: ${text || "empty task"}` },
  sv: { task: (text: string) => `Klar: ${text || "tom uppgift"}` },
});

const starterKit = StarterKit.configure({
  code: false,
  listItem: false,
  // It would change a note that is only opened.
  trailingNode: false,
  link: {
    openOnClick: false,
    defaultProtocol: "https",
    HTMLAttributes: { target: null, rel: null },
    isAllowedUri: (address) => isAcceptedLink(address) || addressFrom(address) !== undefined,
  },
});

const highlight = Highlight.extend({
  addAttributes: () => ({
    color: {
      default: null,
      parseHTML: (mark) => mark.dataset["color"] ?? null,
      renderHTML: ({ color }) =>
        color ? { "data-color": color, style: `background-color: ${readable("backgroundColor", color)}` } : {},
    },
  }),
});

/** A cell as a whole can be aligned, besides each of its paragraphs. */
const cellAlign: Attributes = {
  textAlign: {
    default: null,
    parseHTML: ({ style }) => (isAccepted("tableCell", "textAlign", style.textAlign) ? style.textAlign : null),
    renderHTML: ({ textAlign }) => (textAlign ? { style: `text-align: ${textAlign}` } : {}),
  },
};
const withCellAlign = { addAttributes: withAlign };

function withAlign(this: { parent?: (() => Attributes) | undefined }): Attributes {
  return { ...this.parent?.(), ...cellAlign };
}

export const EXTENSIONS: Extensions = [
  starterKit,
  CodeMark,
  ListItem.extend({ content: "block+" }),
  TaskList,
  TaskItem.extend({ content: "block+" }).configure({
    nested: true,
    a11y: { checkboxLabel: (node) => texts.task(node.textContent) },
  }),
  highlight,
  Subscript,
  Superscript,
  TextStyle,
  TextAlign.configure({ types: ["heading", "paragraph"] }),
  Table.configure({ renderWrapper: true }),
  TableRow,
  TableCell.extend(withCellAlign),
  TableHeader.extend(withCellAlign),
  PasteHtml,
];
