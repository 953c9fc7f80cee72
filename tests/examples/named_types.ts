/** Compiles only if the generated types have neither `any` nor `unknown` in what is named here. */

import type { components as socket } from "./events.js";
import type { components as rest } from "./schema.js";

type Rest = rest["schemas"];
type Socket = socket["schemas"];

/** `true` is in the result for each `any` and `unknown` of the type, down to six levels. */
type Loose<T, Levels extends 0[] = []> = unknown extends T
  ? true
  : Levels["length"] extends 6
    ? false
    : T extends readonly (infer Each)[]
      ? Loose<Each, [...Levels, 0]>
      : T extends object
        ? { [Name in keyof T]-?: Loose<T[Name], [...Levels, 0]> }[keyof T]
        : false;
type Typed<T> = true extends Loose<T> ? false : true;
type Check<T extends true> = T;

export type Checked = [
  Check<Typed<Rest["RichText"]>>,
  Check<Typed<Rest["Note"]>>,
  Check<Typed<Rest["ShareCard"]>>,
  Check<Typed<Rest["ShareCardRequest"]>>,
  Check<Typed<Rest["Message"]>>,
  Check<Typed<Rest["MessageChangeRequest"]>>,
  Check<Typed<Rest["Conversation"]>>,
  Check<Typed<Rest["ConversationChangeRequest"]>>,
  Check<Typed<Rest["SendRequest"]>>,
  Check<Typed<Rest["Friendship"]>>,
  Check<Typed<Rest["Invite"]>>,
  Check<Typed<Rest["Error"]>>,
  Check<Typed<Socket["Event"]>>,
  Check<Typed<Socket["Frame"]>>,
];
// @ts-expect-error The check finds what it looks for.
export type NotTyped = Check<Typed<{ deep: { each: unknown }[] }>>;

/** The text of a document: `type` tells its nodes apart, and no kind is missing. */
export function textOf(node: Rest["RichText"] | Rest["BlockNode"] | Rest["InlineNode"]): string {
  switch (node.type) {
    case "text":
      return node.marks?.some((mark) => mark.type === "link" && mark.attrs.href) ? "" : node.text;
    case "hardBreak":
    case "horizontalRule":
      return "";
    case "doc":
    case "blockquote":
    case "codeBlock":
    case "heading":
    case "paragraph":
      return (node.content ?? []).map(textOf).join("");
    case "bulletList":
    case "orderedList":
      return node.content.flatMap((item) => item.content.map(textOf)).join("");
    case "taskList":
      return node.content.flatMap((item) => (item.attrs?.checked ? [] : item.content.map(textOf))).join("");
    case "table":
      return node.content
        .flatMap((row) => row.content ?? [])
        .flatMap((cell) => cell.content.map(textOf))
        .join("");
    default:
      return node satisfies never;
  }
}

/** An event has the same objects as the REST answers. */
export const asInRest = (event: Socket["MessageCreatedEvent"]): Rest["Message"] => event.message;
