/**
 * Earlier versions kept copies and keys in two databases, for whoever was signed in. The keys of
 * encrypted groups go over to their owner, because nobody may remember the passphrase, and so does the
 * name of the pushes; the rest is forgotten.
 */

import { clear, createStore, entries, get } from "idb-keyval";
import { keepKey } from "../live/encryption";
import { keepCopy, type Copy } from "./store";

export async function takeOverFromEarlierVersion(username: string): Promise<void> {
  try {
    const names = (await indexedDB.databases()).map(({ name }) => name);
    if (!names.includes("copies")) return;
    const copies = createStore("copies", "copies");
    const last = await get<Copy<string>>("last-account", copies);
    const isTheirs = last?.data === username;
    const push = await get<Copy<string>>("push-subscription", copies);
    if (isTheirs && push) await keepCopy("push-subscription", push.data);
    if (names.includes("keys")) {
      const keys = createStore("keys", "keys");
      for (const [id, key] of isTheirs ? await entries<string, CryptoKey>(keys) : []) await keepKey(id, key);
      await clear(keys);
    }
    await clear(copies);
  } catch {
    // Then there is nothing that could be read.
  }
}
