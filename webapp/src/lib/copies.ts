/**
 * What was read last, kept in IndexedDB: shown at once on the next visit, and readable offline.
 * Emptied when the person signs out.
 */

import { clear, createStore, del, get, set } from "idb-keyval";

export interface Copy<Data> {
  /** When it was read, in milliseconds since 1970. */
  at: number;
  data: Data;
}

const store = createStore("copies", "copies");

/** A browser may refuse to keep anything (private windows): then there is no copy. */
export async function readCopy<Data>(key: string): Promise<Copy<Data> | undefined> {
  return get<Copy<Data>>(key, store).catch(() => undefined);
}

export async function keepCopy<Data>(key: string, data: Data): Promise<void> {
  await set(key, { at: Date.now(), data }, store).catch(() => undefined);
}

export async function dropCopy(key: string): Promise<void> {
  await del(key, store).catch(() => undefined);
}

export async function forgetCopies(): Promise<void> {
  await clear(store).catch(() => undefined);
}
