/**
 * Documents between the editor and the API, whose nodes, marks and attributes are an allow-list
 * (`notes/richtext/schema.py`). The editor has the same nodes and marks, but text that is typed or
 * pasted can bring values that the API refuses, such as a list that starts at 20261123.
 */

import { isAcceptedLink } from "./link_address";
import type { Note, RichText } from "./note";

type Accepts = (value: unknown) => boolean;
interface Part {
  type: string;
  attrs?: Record<string, unknown>;
  content?: Part[];
  marks?: Part[];
  text?: string;
}

const integer =
  (lowest: number, highest: number): Accepts =>
  (value) =>
    Number.isInteger(value) && Number(value) >= lowest && Number(value) <= highest;
const pattern =
  (expression: RegExp): Accepts =>
  (value) =>
    typeof value === "string" && expression.test(value);
const text = (length: number): Accepts => (value) => typeof value === "string" && value.length <= length;
const span = integer(1, 100);
const width = integer(0, 10_000);
const widths: Accepts = (value) =>
  Array.isArray(value) && value.length <= 100 && value.every((each) => each === null || width(each));
const colour = pattern(/^[#\p{L}\p{N}_(),.%/ -]{1,64}$/u);
const align = pattern(/^(left|center|right|justify|start|end)$/);
const cell = { textAlign: align, colspan: span, rowspan: span, colwidth: widths };

const ATTRIBUTES: Record<string, Record<string, Accepts>> = {
  paragraph: { textAlign: align },
  heading: { textAlign: align, level: integer(1, 6) },
  orderedList: { start: integer(0, 1_000_000), type: pattern(/^[1aAiI]$/) },
  taskItem: { checked: (value) => typeof value === "boolean" },
  codeBlock: { language: pattern(/^[\p{L}\p{N}_+#.-]{1,32}$/u) },
  tableCell: cell,
  tableHeader: cell,
  link: {
    href: isAcceptedLink,
    target: pattern(/^(_blank|_self|_parent|_top)$/),
    rel: text(200),
    class: text(200),
    title: text(500),
  },
  highlight: { color: colour },
  textStyle: {
    color: colour,
    backgroundColor: colour,
    fontFamily: text(200),
    fontSize: text(32),
    lineHeight: text(32),
  },
};

/** Whether the API takes this value of a node's or mark's attribute. */
export const isAccepted = (type: string, name: string, value: unknown): boolean =>
  ATTRIBUTES[type]?.[name]?.(value) ?? false;

/** The document as the API takes it: attributes that it refuses, or that say nothing, are left out. */
export const acceptedDocument = (document: unknown): RichText => acceptedPart(document as Part) as RichText;

function acceptedPart({ type, attrs = {}, content, marks, text }: Part): Part {
  const kept = Object.entries(attrs).filter(([name, value]) => isAccepted(type, name, value));
  const keptMarks = marks?.map(acceptedPart).filter((mark) => mark.type !== "link" || mark.attrs?.["href"]);
  return {
    type,
    ...(kept.length > 0 && { attrs: Object.fromEntries(kept) }),
    ...(content && { content: content.map(acceptedPart) }),
    ...(keptMarks?.length && { marks: keptMarks }),
    // No half of a surrogate pair and no NUL: neither can be stored.
    ...(text !== undefined && { text: text.replace(/[\p{Surrogate}\0]/gu, "\ufffd") }),
  };
}

/** The document of a note. Plain text becomes paragraphs, which are stored when they are changed. */
export function documentOf({ doc, content }: Pick<Note, "doc" | "content">): RichText {
  if (doc) return doc.content?.length ? doc : EMPTY;
  const blocks = content.replace(/\r\n?/g, "\n").split(/\n\s*\n/);
  return { type: "doc", content: blocks.map((block) => ({ type: "paragraph", content: linesOf(block) })) };
}

type Inline = { type: "text"; text: string } | { type: "hardBreak" };

function linesOf(block: string): Inline[] {
  return block.split("\n").flatMap((line, index): Inline[] => [
    ...(index > 0 ? [{ type: "hardBreak" } as const] : []),
    ...(line ? [{ type: "text", text: line } as const] : []),
  ]);
}

export const EMPTY: RichText = { type: "doc", content: [{ type: "paragraph" }] };
