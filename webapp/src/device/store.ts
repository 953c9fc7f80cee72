/**
 * What this device keeps, in one store of IndexedDB. Each entry belongs to an account, or to the
 * device itself. Only what belongs to the account that is signed in is kept: a page that has not heard
 * yet that it shows somebody else than that keeps nothing more.
 */

import { createStore, del, get, promisifyRequest } from "idb-keyval";

/** An account that is signed in, and the id of its session, which is no secret of the session. */
export interface Owner {
  username: string;
  session: string;
}
export interface Copy<Data> {
  /** When it was read, in milliseconds since 1970. */
  at: number;
  data: Data;
}
type Key = [username: string, name: string];

/** Names of entries of the device itself begin with this. */
export const OF_DEVICE = "device/";
/** Names of entries that nobody else has begin with this: unsent texts, keys of groups. */
export const ONLY_HERE = "only-here/";

/** What is opened one by one: of these, only the newest are kept. */
const OPENED = /^(article|inbox-message)-/;
const MOST_OPENED = 20;

const OWNER: Key = ["", "owner"];
const OWED = "owed/";
const store = createStore("device", "device");

/** Whom this page shows. It never shows two: for somebody else, the app starts again. */
let shown: Owner | undefined;

export const shownOwner = (): Owner | undefined => shown;
export const show = (owner: Owner): void => void (shown = owner);

function keyOf(name: string): Key | undefined {
  if (name.startsWith(OF_DEVICE)) return ["", name];
  return shown && [shown.username, name];
}

/** A browser may refuse to keep anything (private windows): then there is no copy. */
export async function readCopy<Data>(name: string): Promise<Copy<Data> | undefined> {
  const key = keyOf(name);
  return key && get<Copy<Data>>(key, store).catch(() => undefined);
}

/** The copies whose names begin with this, without it. */
export async function readCopies<Data>(beginning: string): Promise<{ name: string; data: Data }[]> {
  if (!shown) return [];
  const range = IDBKeyRange.bound([shown.username, beginning], [shown.username, `${beginning}\uffff`]);
  const read = async (entries: IDBObjectStore) => {
    const keys = promisifyRequest(entries.getAllKeys(range)) as Promise<unknown> as Promise<Key[]>;
    const copies = promisifyRequest(entries.getAll(range)) as Promise<Copy<Data>[]>;
    const found = await copies;
    return (await keys).flatMap(([, name], index) => {
      const copy = found[index];
      return copy ? [{ name: name.slice(beginning.length), data: copy.data }] : [];
    });
  };
  return store("readonly", read).catch(() => []);
}

export async function keepCopy<Data>(name: string, data: Data): Promise<void> {
  const key = keyOf(name);
  if (!key) return;
  await change((entries, owner, keys) => {
    if (key[0] !== "" && key[0] !== owner?.username) return;
    entries.put({ at: Date.now(), data }, key);
    if (OPENED.test(name)) dropOldest(entries, keys.filter((each) => each[0] === key[0] && each[1] !== name && OPENED.test(each[1])));
  });
}

/** Leaves room for one more. */
function dropOldest(entries: IDBObjectStore, keys: Key[]): void {
  const read: [at: number, key: Key][] = [];
  for (const key of keys) {
    const copy = entries.get(key) as IDBRequest<Copy<unknown>>;
    copy.onsuccess = () => {
      read.push([copy.result.at, key]);
      if (read.length < keys.length) return;
      for (const [, old] of read.sort(([a], [b]) => b - a).slice(MOST_OPENED - 1)) entries.delete(old);
    };
  }
}

export async function dropCopy(name: string): Promise<void> {
  const key = keyOf(name);
  if (key) await del(key, store).catch(() => undefined);
}

/** Who is signed in on this device; null: nobody; undefined: the browser does not say. */
export async function readOwner(): Promise<Owner | null | undefined> {
  return get<Owner>(OWNER, store).then(
    (owner) => owner ?? null,
    () => undefined,
  );
}

interface Change {
  /** Whose the device was. */
  before?: Owner | undefined;
  /** The person has signed out here since it was asked who is signed in. */
  isTooLate: boolean;
}

/** The device is this person's now, and forgets everybody else. `isNew`: they have just signed in. */
export async function changeOwner(owner: Owner, isNew: boolean): Promise<Change> {
  let before: Owner | undefined;
  let isTooLate = false;
  await change((entries, last, keys) => {
    before = last;
    isTooLate = !isNew && !last && shown?.username === owner.username;
    if (isTooLate) return;
    for (const key of keys) if (key[0] !== "" && key[0] !== owner.username) entries.delete(key);
    entries.put(owner, OWNER);
  });
  return { before, isTooLate };
}

interface Forgetting {
  /** Leaves what nobody else has, for when the same person signs in again. */
  butOnlyHere?: boolean;
  /** The session still has to be ended at the service. */
  owed?: boolean;
}

/**
 * Forgets what is kept of the shown account, and that it is signed in. Returns whether that is done:
 * not if the device is somebody else's by now (who has replaced everything), or keeps nothing.
 */
export async function forgetShown({ butOnlyHere = false, owed = false }: Forgetting): Promise<boolean> {
  let isDone = false;
  await change((entries, owner, keys) => {
    if (!shown || owner?.username !== shown.username) return;
    for (const key of keys) {
      if (key[0] === shown.username && !(butOnlyHere && key[1].startsWith(ONLY_HERE))) entries.delete(key);
    }
    if (owed) entries.put(true, ["", OWED + owner.session]);
    entries.delete(OWNER);
    isDone = true;
  });
  return isDone;
}

/** The ids of sessions that are signed out here, and not yet at the service. */
export async function owedSessions(): Promise<string[]> {
  const owed: string[] = [];
  await change((_entries, _owner, keys) => {
    for (const [username, name] of keys) if (username === "" && name.startsWith(OWED)) owed.push(name.slice(OWED.length));
  });
  return owed;
}

export const settleSession = (session: string): Promise<void> =>
  del(["", OWED + session], store).catch(() => undefined);

/** One transaction, so that nothing of another page comes between reading and writing. */
async function change(work: (entries: IDBObjectStore, owner: Owner | undefined, keys: Key[]) => void): Promise<void> {
  const run = (entries: IDBObjectStore) => {
    const owner = entries.get(OWNER) as IDBRequest<Owner | undefined>;
    const keys = entries.getAllKeys() as IDBRequest<IDBValidKey[]>;
    keys.onsuccess = () => work(entries, owner.result, keys.result as Key[]);
    return promisifyRequest(entries.transaction);
  };
  await store("readwrite", run).catch(() => undefined);
}
