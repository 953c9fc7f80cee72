/**
 * Sessions that were signed out without a connection. They are ended at the service as soon as there is
 * one: by this page, by the service worker after the tab was closed, else when the app is opened again.
 * Each by its id, so that nobody else who has signed in meanwhile is signed out.
 */

import { signal } from "@preact/signals";
import { inTurn } from "../api/in_turn";
import { owedSessions, settleSession } from "../device/store";

/** For the sign-in page: whether the service does not know yet, or has just heard. */
export const signOut = signal<"waiting" | "done" | null>(null);

const TIMEOUT = 20_000;

/** Ends all of them. Returns whether none is left. */
export const settleOwed = (): Promise<boolean> => inTurn(settleOwedInTurn);

/** The same for somebody whose turn it is. */
export async function settleOwedInTurn(): Promise<boolean> {
  const owed = await owedSessions();
  for (const session of owed) {
    const headers = { "X-Session": session };
    const options = { method: "POST", headers, signal: AbortSignal.timeout(TIMEOUT) };
    const answer = await fetch("/api/logout", options).catch(() => null);
    if (!answer?.ok) {
      signOut.value = "waiting";
      return false;
    }
    await settleSession(session);
  }
  if (signOut.value === "waiting") signOut.value = "done";
  return true;
}

/** Asks the browser to wake the service worker when there is a connection. Not all browsers can. */
export async function settleInBackground(session: string): Promise<void> {
  type Syncing = ServiceWorkerRegistration & { sync?: { register: (tag: string) => Promise<void> } };
  const registration = (await navigator.serviceWorker?.getRegistration("/app/")) as Syncing | undefined;
  await registration?.sync?.register(`sign-out/${session}`).catch(() => undefined);
}
