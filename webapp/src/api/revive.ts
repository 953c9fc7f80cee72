/** Renews the session: the school's own sessions die after an hour, ours lives on. */

import { signal } from "@preact/signals";

export type Renewal = "renewed" | "ended" | "unavailable";

/** Set when the service says that there is nothing left to renew. */
export const sessionEnded = signal(false);

let running: Promise<Renewal> | null = null;

/** Asks for a new session; requests that fail at the same time share one call. */
export function renewSession(): Promise<Renewal> {
  running ??= renew().finally(() => (running = null));
  return running;
}

async function renew(): Promise<Renewal> {
  const answer = await fetch("/api/refresh", { method: "POST" }).catch(() => null);
  if (answer?.ok) return "renewed";
  if (answer?.status !== 401) return "unavailable";
  sessionEnded.value = true;
  return "ended";
}
