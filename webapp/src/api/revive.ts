/** Renews the session: the school's own sessions die after an hour, ours lives on. */

import { signal } from "@preact/signals";
import { Refused, type ErrorBody } from "./errors";
import { inTurn } from "./in_turn";

export type Renewal = "renewed" | "ended" | "unavailable";

const TIMEOUT = 20_000;

/**
 * What the service said when the shown session was over, or the cookies were found to be another
 * one's. `session/session.ts` does what follows from it.
 */
export const verdict = signal<Refused | null>(null);

let running: Promise<Renewal> | null = null;

/** Asks for a new session; requests that fail at the same time share one call. */
export function renewSession(): Promise<Renewal> {
  running ??= renew().finally(() => (running = null));
  return running;
}

async function renew(): Promise<Renewal> {
  const ask = () => fetch("/api/refresh", { method: "POST", signal: AbortSignal.timeout(TIMEOUT) });
  const answer = await inTurn(ask).catch(() => null);
  if (answer?.ok) return "renewed";
  const refused = answer && (await refusalOf(answer));
  if (answer?.status !== 401 && refused?.code !== "account_suspended") return "unavailable";
  verdict.value = refused;
  return "ended";
}

/** The error of an answer that is one; its body stays unread for others. */
export async function refusalOf(answer: Response): Promise<Refused> {
  const body = (await answer.clone().json().catch(() => ({}))) as Partial<ErrorBody>;
  return new Refused(answer.status, body.error ?? `${answer.status}`, body.code ?? "unknown", body.fields, body);
}
