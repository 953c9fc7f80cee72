/**
 * Who is signed in. Cookies that scripts cannot read hold the session; nothing here is a secret of it.
 *
 * All tabs of a browser share the cookies, so a page may show somebody while they are already somebody
 * else's. Therefore: each request says for which session it is meant (`api/client.ts`), what is kept is
 * kept for an account (`device/store.ts`), and a page that hears of another account starts again.
 */

import { effect, signal } from "@preact/signals";
import { api, type Schemas } from "../api/client";
import { good, Refused } from "../api/errors";
import { inTurn } from "../api/in_turn";
import { verdict } from "../api/revive";
import { takeOverFromEarlierVersion } from "../device/earlier_version";
import { changeOwner, forgetShown, keepCopy, owedSessions, readCopy, readOwner, show, shownOwner } from "../device/store";
import { emptyOutbox } from "../live/outbox";
import { settleInBackground, settleOwed, settleOwedInTurn, signOut as signOutState } from "./owed";
import { forgetPushes } from "./pushes";
import { onChangeElsewhere, tellTabs } from "./tabs";

export type Person = Schemas["SessionAnswer"];

/** `undefined` until it is known; `null` when nobody is signed in. */
export const who = signal<Person | null | undefined>(undefined);
/** Why the person has to sign in again, for the sign-in page. */
export const ended = signal<Refused | null>(null);

/** What the service says of a session whose time is over, unlike one that somebody has ended. */
export const EXPIRED = "nothing_to_refresh";

/** The own username; only for pages of somebody who is signed in. */
export const ownName = (): string => who.value?.session.username ?? "";

/** Whether the service has seen no session when it sent the page: then it need not be asked who that is. */
export const isNobody = document.documentElement.dataset["signedIn"] === "no";

/** Finds out who is signed in: from the copy at once, and from the service. */
export async function start(): Promise<void> {
  const owner = await readOwner();
  if (owner) {
    show(owner);
    who.value = (await readCopy<Person>("session"))?.data;
  }
  onChangeElsewhere(() => void compare());
  addEventListener("online", () => void settleOwed());
  const isSettled = (await owedSessions()).length === 0 || (await settleOwed());
  // The cookies may still be those of somebody who has signed out here.
  if (owner || (isSettled && !isNobody)) await ask();
  who.value ??= null; // without a copy there is nothing to show offline
}

/** Asks the service who is signed in. What it refuses is in `verdict`. */
async function ask(): Promise<void> {
  try {
    const asked = whenLeft;
    const person = await good(api.GET("/api/session"));
    if (asked === whenLeft) await take(person, false);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
  }
}

/** Shows this person; a page that has shown somebody else starts again. */
async function take(person: Person, isNew: boolean): Promise<void> {
  const owner = { username: person.session.username, session: person.sessionId };
  const last = shownOwner();
  const isOther = last !== undefined && last.username !== owner.username;
  const asked = whenLeft;
  const { before, isTooLate } = await changeOwner(owner, isNew);
  if (isTooLate || asked !== whenLeft) return leave(null);
  if (!isOther) {
    show(owner);
    who.value = person;
  }
  if (before?.session !== owner.session) tellTabs();
  if (before && before.username !== owner.username) void forgetPushes();
  if (ownerOfChild() !== owner.username) localStorage.removeItem("child");
  if (isOther) return startAgain();
  await keepCopy("session", person);
  void takeOverFromEarlierVersion(owner.username);
}

/** The username with which the choice of a child is kept (`school/child.ts`). */
const ownerOfChild = (): string | undefined => localStorage.getItem("child")?.split(" ", 1)[0];

/** With the other account, and nothing of this one in the memory of the page. */
function startAgain(): void {
  location.replace("/app/");
}

/** Somebody may have signed in or out in another tab. */
async function compare(): Promise<void> {
  const person = who.value;
  const owner = await readOwner();
  if (owner === undefined || person === undefined || who.value !== person) return;
  if (owner && (!person || owner.username !== person.session.username)) startAgain();
  else if (owner) show(owner);
  else if (person) leave(null);
}

effect(() => {
  if (verdict.value) void heed(verdict.value);
});

/** The session that is shown is over, or the cookies are those of another one. */
async function heed(refused: Refused): Promise<void> {
  verdict.value = null;
  if (refused.code === "other_session") return ask();
  const wasShown = !!who.peek();
  await forget(refused.code === EXPIRED);
  leave(wasShown || refused.status === 403 ? refused : null);
}

export async function signIn(credentials: { username: string; password: string; school: string }): Promise<void> {
  const isFree = await inTurn(async () => {
    if (await readOwner()) return false;
    await settleOwedInTurn();
    await good(api.POST("/api/login", { body: credentials }));
    return true;
  });
  // Somebody has just signed in in another tab.
  if (!isFree) return startAgain();
  ended.value = null;
  signOutState.value = null;
  await take(await good(api.GET("/api/session")), true);
}

/** Signs out on this device at once, and at the service as soon as there is a connection. */
export async function signOut(): Promise<void> {
  const session = shownOwner()?.session ?? "";
  if (await forget(false, true)) {
    void settleInBackground(session);
    leave(null);
    await settleOwed();
  } else {
    await good(api.POST("/api/logout"));
    leave(null);
  }
  ended.value = null;
}

/** The account is erased, and its sessions with it. */
export async function leaveForGood(): Promise<void> {
  await forget(false);
  leave(null);
  // The socket may have said meanwhile that the session has ended: nobody has to be told.
  ended.value = null;
}

/** Counts, so that an answer of before is not taken after somebody has left. */
let whenLeft = 0;

/** Shows the sign-in page. */
function leave(reason: Refused | null): void {
  whenLeft += 1;
  ended.value ??= reason;
  emptyOutbox();
  who.value = null;
}

/** Forgets what this device keeps of the shown account. Returns whether the device kept something. */
async function forget(butOnlyHere: boolean, owed = false): Promise<boolean> {
  const isDone = await forgetShown({ butOnlyHere, owed });
  if (ownerOfChild() === shownOwner()?.username) localStorage.removeItem("child");
  if (!isDone) return false;
  void forgetPushes();
  tellTabs();
  return true;
}
