/**
 * Messages on their way. They are kept on the device until the service has them, so that nothing is
 * lost when the line drops, the page is closed or the session ends; the service keeps a message once
 * for each `clientId`, so sending again cannot double it.
 */

import { computed, signal } from "@preact/signals";
import { api, type Schemas } from "../api/client";
import { good, Refused } from "../api/errors";
import { keepCopy, ONLY_HERE, readCopy } from "../device/store";
import { takeMessage } from "./apply";

export interface Waiting {
  clientId: string;
  conversationId: string;
  body: Schemas["SendRequest"];
  writtenAt: number;
  /** Why the service refused it: it waits for the person to decide. */
  refused?: string;
}

export const outbox = signal<Waiting[]>([]);
export const waitingIn = (conversationId: string) =>
  computed(() => outbox.value.filter((each) => each.conversationId === conversationId));

const NAME = `${ONLY_HERE}outbox`;
const RETRY = 5_000;
let isRead: Promise<void> | null = null;
let sending: Promise<void> | null = null;
let retry: ReturnType<typeof setTimeout>;

/** Puts a message into the queue and sends the queue. */
export async function post(conversationId: string, body: Schemas["SendRequest"]): Promise<void> {
  const clientId = crypto.randomUUID();
  await change((all) => [...all, { clientId, conversationId, body: { ...body, clientId }, writtenAt: Date.now() }]);
  void sendWaiting();
}

export async function discard(clientId: string): Promise<void> {
  await change((all) => all.filter((each) => each.clientId !== clientId));
}

export async function tryAgain(clientId: string): Promise<void> {
  await change((all) =>
    all.map(({ refused, ...each }) => (each.clientId === clientId || !refused ? each : { ...each, refused })),
  );
  void sendWaiting();
}

/** Sends what waits, in order, until the service cannot be reached; then again after a while. */
export function sendWaiting(): Promise<void> {
  sending ??= sendAll().finally(() => (sending = null));
  return sending;
}

async function sendAll(): Promise<void> {
  clearTimeout(retry);
  await readKept();
  for (;;) {
    const next = outbox.value.find((each) => !each.refused);
    if (!next) return;
    try {
      const params = { path: { conversation_id: next.conversationId } };
      const { message } = await good(api.POST("/api/conversations/{conversation_id}/messages", { params, body: next.body }));
      takeMessage(message);
      await discard(next.clientId);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      if (error.status === 401) return; // after signing in again
      if (error.isTemporary) {
        retry = setTimeout(() => void sendWaiting(), RETRY);
        return;
      }
      await change((all) => all.map((each) => (each === next ? { ...each, refused: error.message } : each)));
    }
  }
}

async function change(update: (all: Waiting[]) => Waiting[]): Promise<void> {
  await readKept();
  outbox.value = update(outbox.value);
  await keepCopy(NAME, outbox.value);
}

function readKept(): Promise<void> {
  isRead ??= readCopy<Waiting[]>(NAME).then((copy) => {
    outbox.value = copy?.data ?? [];
  });
  return isRead;
}

/** For the next account: the copy is forgotten with the others. */
export function emptyOutbox(): void {
  isRead = null;
  outbox.value = [];
  clearTimeout(retry);
}
