/** Mentions: `@username` in a text, as the service reads them (`social/services/messages/mentions.py`). */

import { ownName } from "../session/session";
import type { Conversation } from "./state";

const MOST = 10;
const WORD = "[\\p{L}\\p{N}_@]";
/** Before an `@` that begins no name: in a word, and in the address of a page. */
const WITHIN = "[\\p{L}\\p{N}_@/]";

/** A piece of a text, and whom it mentions. */
export interface Piece {
  text: string;
  username?: string;
}

/** The text in pieces. Of these public names the longest one wins, so `@anna.ek.2` is not `@anna.ek`. */
export function pieces(text: string, usernames: readonly string[]): Piece[] {
  if (usernames.length === 0 || !text.includes("@")) return [{ text }];
  const names = [...usernames].sort((a, b) => b.length - a.length).map((name) => name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  const mention = new RegExp(`(^|(?!${WITHIN})[^])@(${names.join("|")})(?!${WORD}|[.+-][\\p{L}\\p{N}_])`, "giu");
  const before: Piece[] = [];
  let end = 0;
  for (const { index, 0: all, 1: character = "", 2: name = "" } of text.matchAll(mention)) {
    const start = index + character.length;
    before.push({ text: text.slice(end, start) }, { text: text.slice(start, index + all.length), username: name.toLowerCase() });
    end = index + all.length;
  }
  return [...before, { text: text.slice(end) }].filter((piece) => piece.text);
}

/** The members whom a text mentions: what is sent beside it where the service cannot read it. */
export function mentionedIn(text: string, { participants }: Conversation): string[] {
  const all = pieces(text, participants).flatMap(({ username }) => username ?? []);
  return [...new Set(all)].filter((username) => username !== ownName()).slice(0, MOST);
}

/** What is being typed after an `@` just before the caret, and where that is. */
export function mentionBegun(text: string, caret: number): { start: number; typed: string } | undefined {
  const match = /(?:^|[^\p{L}\p{N}_@/])@([\p{L}\p{N}_.+-]*)$/u.exec(text.slice(0, caret));
  return match ? { start: caret - (match[1] ?? "").length - 1, typed: match[1] ?? "" } : undefined;
}
