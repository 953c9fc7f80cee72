/** Lists of all children of a guardian in one; of other people, their own. */

import { Refused } from "../api/errors";
import { useResource } from "../lib/use_resource";
import { children, isGuardian, type Child } from "./child";

/** Whose data is asked for, with the query of it and the key of its copies. */
export interface Asked {
  child: Child | undefined;
  query: { child?: string };
  key: string;
}

export function askedChildren(): Asked[] {
  if (!isGuardian()) return [{ child: undefined, query: {}, key: "own" }];
  return children().map((child) => ({ child, query: { child: child.id }, key: `child-${child.id}` }));
}

/** An answer about somebody. */
export interface Part<Data> {
  asked: Asked;
  data: Data;
}

export interface Parts<Data> {
  parts: Part<Data>[];
  /** The children whose list did not come, and why. */
  missing: { name: string; message: string }[];
}

/** The answers about each child. If none came, the error of the first. */
export function useOfEachChild<Data>(name: string, read: (asked: Asked) => Promise<Data>) {
  const all = askedChildren();
  return useResource(`${name}-${all.map(({ key }) => key).join("-")}`, () => ofEach(all, read));
}

export async function ofEach<Data>(all: Asked[], read: (asked: Asked) => Promise<Data>): Promise<Parts<Data>> {
  const parts: Part<Data>[] = [];
  const refused: { asked: Asked; error: Refused }[] = [];
  const settled = await Promise.allSettled(all.map(read));
  settled.forEach((result, index) => {
    const asked = all[index] as Asked;
    if (result.status === "fulfilled") parts.push({ asked, data: result.value });
    else if (result.reason instanceof Refused) refused.push({ asked, error: result.reason });
    else throw result.reason;
  });
  if (parts.length === 0 && refused[0]) throw refused[0].error;
  const missing = refused.map(({ asked, error }) => ({ name: asked.child?.name ?? "", message: error.message }));
  return { parts, missing };
}

/** A row of one or more children's lists. */
export interface Row<Item> {
  item: Item;
  children: Child[];
}

/** The rows of all, each once, the newest first; those without a date last. */
export function newestFirst<Item extends { id: string }>(
  parts: { asked: Asked; items: Item[] }[],
  dateOf: (item: Item) => string | null,
): Row<Item>[] {
  const rows = new Map<string, Row<Item>>();
  for (const { asked, items } of parts) {
    for (const item of items) {
      const row = rows.get(item.id);
      const isNew = asked.child && !row?.children.includes(asked.child);
      if (row) row.children.push(...(isNew && asked.child ? [asked.child] : []));
      else rows.set(item.id, { item, children: asked.child ? [asked.child] : [] });
    }
  }
  const sorted = [...rows.values()];
  return parts.length > 1 ? sorted.sort((a, b) => (dateOf(b.item) ?? "").localeCompare(dateOf(a.item) ?? "")) : sorted;
}

/** The query of a link to a row, for somebody with several children. */
export const childQuery = ({ children: [first] }: Row<unknown>): string => (first && children().length > 1 ? `?child=${first.id}` : "");
