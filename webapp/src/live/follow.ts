/**
 * Follows the conversations while somebody is signed in: what the device kept, then what changed
 * since (`/api/sync`), then the events of the socket. Events are hints and may be lost; after every
 * break everything is asked for again from the revisions that are known. Where there is no socket,
 * as behind a filter that blocks them, the service is asked every 20 seconds.
 */

import { api } from "../api/client";
import { good, Refused } from "../api/errors";
import { renewSession, verdict } from "../api/revive";
import { inLanguage } from "../lib/language";
import { followNotification, loadUnread, notificationChanges } from "../notifications/state";
import { loadFriends } from "../people/friends";
import { EXPIRED, ownName } from "../session/session";
import { removeConversation, takeChange, takeConversation, takeProfile, takeRead, takeSync } from "./apply";
import { keepOnDevice, readKept } from "./kept";
import { sendWaiting } from "./outbox";
import { LiveSocket, type ServiceEvent } from "./socket";
import { chats, emptyState, isLive, presence, showTyping } from "./state";

const texts = inLanguage({
  en: { suspended: "This account is suspended." },
  sv: { suspended: "Det här kontot är avstängt." },
});

const NO_SESSION = 4401;
const SUSPENDED = 4403;
const HEARTBEAT = 60_000;
const POLL = 20_000;
/** The next try usually succeeds: until then nobody has to be told. */
const DOUBT = 5_000;

let socket: LiveSocket | null = null;
let isConnected = false;
let doubt: ReturnType<typeof setTimeout>;

/** Begins; returns what ends it. */
export function follow(): () => void {
  const own = new LiveSocket({ onEvent: take, onClose: heedClose });
  socket = own;
  void sendWaiting();
  setConnected(false);
  void readKept().then(() => {
    void own.run();
    void sync().catch(ignoreRefused);
  });
  const stopKeeping = keepOnDevice();
  const heartbeat = setInterval(sayPresence, HEARTBEAT);
  const poll = setInterval(() => isConnected || !navigator.onLine || wake(), POLL);
  document.addEventListener("visibilitychange", wake);
  addEventListener("online", wake);
  return () => {
    own.stop();
    stopKeeping();
    clearInterval(heartbeat);
    clearInterval(poll);
    clearTimeout(doubt);
    isLive.value = true;
    document.removeEventListener("visibilitychange", wake);
    removeEventListener("online", wake);
    emptyState();
  };
}

function setConnected(isNow: boolean): void {
  isConnected = isNow;
  clearTimeout(doubt);
  if (isNow) isLive.value = true;
  else doubt = setTimeout(() => (isLive.value = false), DOUBT);
}

export const sayTyping = (conversationId: string): void => socket?.send({ type: "typing", conversationId });

function sayPresence(): void {
  socket?.send({ type: "presence", status: document.visibilityState === "visible" ? "online" : "idle" });
}

/** After sleep or without a connection, events were lost even if the socket still looks open. */
function wake(): void {
  sayPresence();
  if (document.visibilityState === "visible") void catchUp();
}

let syncing: Promise<void> | null = null;
let isSyncWanted = false;

/** Asks for everything that changed; what is wanted meanwhile is asked for afterwards. */
export function sync(): Promise<void> {
  isSyncWanted = true;
  syncing ??= syncWhileWanted().finally(() => (syncing = null));
  return syncing;
}

async function syncWhileWanted(): Promise<void> {
  while (isSyncWanted) {
    isSyncWanted = false;
    const known = [...chats.value.values()].map(({ conversation: { id, revision, lastReadSeq } }) => [id, { revision, lastReadSeq }] as const);
    const answer = await good(api.POST("/api/sync", { body: { conversations: Object.fromEntries(known) } }));
    if (!takeSync(answer, new Set(known.map(([id]) => id)))) isSyncWanted = true;
  }
}

async function catchUp(): Promise<void> {
  try {
    await sync();
    dispatchEvent(new Event("caught-up")); // what could not be read before is read now
    sayPresence();
    notificationChanges.value += 1;
    await Promise.all([sendWaiting(), loadFriends(), loadUnread()]);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
  }
}

/** Does what a close code asks for, before the next try. */
async function heedClose(code: number): Promise<void> {
  if (isConnected) setConnected(false);
  if (code === NO_SESSION) await renewSession();
  if (code === SUSPENDED) await heedSuspension();
}

/** The answer says why and until when, if there is one; the device forgets all the same. */
async function heedSuspension(): Promise<void> {
  const refused = await good(api.GET("/api/session")).catch((error: unknown) => error);
  if (refused instanceof Refused && refused.isTemporary) verdict.value = new Refused(403, texts.suspended, "account_suspended");
}

function take(event: ServiceEvent): void {
  switch (event.type) {
    case "ready":
      if (event.username !== ownName()) return meetStranger();
      setConnected(true);
      return void catchUp();
    case "message.created":
    case "message.updated":
    case "message.deleted":
      notificationChanges.value += 1; // the notification of the conversation has another count
      return takeChange(event.conversationId, event.revision, event.message) ? undefined : void sync().catch(ignoreRefused);
    case "conversation.created":
    case "conversation.updated":
      // Its messages may have changed too, which this event does not carry.
      return known(event.conversationId, event.revision) ? takeConversation(event.conversation) : void sync().catch(ignoreRefused);
    case "conversation.removed":
      return removeConversation(event.conversationId);
    case "conversation.read":
      return takeRead(event.conversationId, event.username, event.seq);
    case "profile.updated":
      return takeProfile(event);
    case "presence.changed":
      presence.value = { ...presence.value, [event.username]: event.status };
      return;
    case "friend.requested":
    case "friend.accepted":
    case "friend.removed":
      return void loadFriends().catch(ignoreRefused);
    case "notification.created":
    case "notification.read":
      return followNotification(event);
    case "typing":
      return event.username === ownName() ? undefined : showTyping(event.conversationId, event.username);
    case "invite.created":
    case "invite.resolved":
      dispatchEvent(new Event("invites")); // an open list of invites reads itself again
      return;
    case "session.ended":
      if (event.reason === "suspended") void heedSuspension();
      else verdict.value = new Refused(401, "", event.reason === "expired" ? EXPIRED : "not_signed_in");
      return;
    case "pong":
    case "error":
      return; // the close code says what to do
    default:
      event satisfies never; // the compiler names a type that is missing above; a newer service has more
  }
}

/** The cookies with which the socket was opened are somebody else's: nothing of it is shown. */
function meetStranger(): void {
  socket?.drop();
  void good(api.GET("/api/profile")).catch(ignoreRefused); // refused, and the page starts again
}

function known(id: string, revision: number): boolean {
  return chats.value.get(id)?.conversation.revision === revision - 1;
}

function ignoreRefused(error: unknown): void {
  if (!(error instanceof Refused)) throw error;
}
