/** Who is signed in. Cookies that scripts cannot read hold the session; nothing here is a secret. */

import { effect, signal } from "@preact/signals";
import { api, type Schemas } from "../api/client";
import { good, Refused } from "../api/errors";
import { sessionEnded } from "../api/revive";
import { dropCopy, forgetCopies, keepCopy, readCopy } from "../lib/copies";
import { forgetKeys } from "../live/encryption";
import { emptyOutbox } from "../live/outbox";

export type Person = Schemas["SessionAnswer"];

/** `undefined` until it is known; `null` when nobody is signed in. */
export const who = signal<Person | null | undefined>(undefined);
/** Why the person has to sign in again, for the sign-in page. */
export const ended = signal<Refused | "expired" | null>(null);

/** The own username; only for pages of somebody who is signed in. */
export const ownName = (): string => who.value?.session.username ?? "";

/** Finds out who is signed in: from the copy at once, and from the service. */
export async function start(): Promise<void> {
  const copy = await readCopy<Person>("session");
  if (copy) who.value = copy.data;
  try {
    await take(await good(api.GET("/api/session")));
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    if (error.status === 401 || error.status === 403) await leave(error.status === 403 ? error : null);
    else if (!copy) who.value = null; // without a copy there is nothing to show offline
  }
}

effect(() => {
  if (sessionEnded.value && who.value) void leave("expired");
});

export async function signIn(credentials: { username: string; password: string; school: string }): Promise<void> {
  const { user } = await good(api.POST("/api/login", { body: credentials }));
  const last = await readCopy<string>("last-account");
  // Somebody else's copies must never be shown, whatever happened to the last session.
  if (last?.data !== user.username) await forget();
  await keepCopy("last-account", user.username);
  sessionEnded.value = false;
  ended.value = null;
  await take(await good(api.GET("/api/session")));
}

export async function signOut(): Promise<void> {
  await good(api.POST("/api/logout"));
  await leaveForGood();
}

/** The person ended the session, and with it everything that this device keeps. */
export async function leaveForGood(): Promise<void> {
  await forget();
  await leave(null);
  // The socket may have said meanwhile that the session has ended: nobody has to be told.
  ended.value = null;
}

/** Shows the sign-in page. Copies stay for the same person after an expired session. */
export async function leave(reason: Refused | "expired" | null): Promise<void> {
  ended.value ||= reason;
  await dropCopy("session");
  who.value = null;
}

async function take(person: Person): Promise<void> {
  who.value = person;
  await keepCopy("session", person);
}

/** Forgets everything that this device keeps of an account. */
export async function forget(): Promise<void> {
  localStorage.removeItem("child");
  emptyOutbox();
  await Promise.all([forgetCopies(), forgetKeys()]);
}
