/**
 * One conversation over the WebSocket: it misses nothing and shows nothing twice.
 *
 * Events are hints and may be lost; the REST routes have the truth. `revision` numbers every change
 * of a conversation 1, 2, 3 ... without gaps, so a client that remembers the last revision that it
 * knows can tell when it has missed one, and ask for what it missed with `changedAfter`.
 */

import { setTimeout as sleep } from "node:timers/promises";
import { WebSocket } from "ws";
import type { components as socket } from "./events.js";
import type { components } from "./schema.js";
import { good, Refused, SERVICE, type Session } from "./session.js";

export type Message = components["schemas"]["Message"];
type Close = { code: number; reason: string };
type ServiceEvent = socket["schemas"]["Event"];
type Frame = socket["schemas"]["Frame"];

const SECOND = 1000;
const RESTARTS = 1012;
const NO_SESSION = 4401;
const SUSPENDED = 4403;

/** Keeps one conversation complete. `show` gets each message, and again when it changes. */
export class Follower {
  private known = 0; // every change up to this revision has been taken in
  private shown = new Map<number, number>(); // seq of a message: its revision when it was shown
  private pause = SECOND;

  constructor(
    private readonly session: Session,
    private readonly id: string,
    private readonly show: (message: Message) => void,
  ) {}

  /** Listens, and connects again whenever the connection is lost. Throws when that makes no sense. */
  async follow(): Promise<never> {
    for (;;) {
      try {
        await this.heed(await this.listen());
      } catch (error) {
        if (!(error instanceof Refused && error.isTemporary)) throw error;
      }
      console.error("Not connected. Trying again.");
      await sleep(this.pause * (0.5 + Math.random() / 2));
      this.pause = Math.min(60 * SECOND, 2 * this.pause);
    }
  }

  /** How a connection was closed, when it has ended. */
  private async listen(): Promise<Close> {
    const address = `${SERVICE.replace("http", "ws")}/ws`;
    const options = { headers: this.session.header, handshakeTimeout: 10 * SECOND };
    const socket = new WebSocket(address, options);
    let work = Promise.resolve(); // one event after the other
    let answered = true;
    const ping = setInterval(() => {
      if (!answered || socket.readyState !== WebSocket.OPEN) return socket.terminate();
      answered = false;
      socket.send(JSON.stringify({ type: "ping" } satisfies Frame));
    }, 60 * SECOND);
    const close = await new Promise<Close>((resolve, reject) => {
      socket.on("message", (data) => {
        answered = true;
        work = work.then(() => this.hear(JSON.parse(String(data)) as ServiceEvent));
        work.catch((error: unknown) => {
          reject(error);
          socket.terminate();
        });
      });
      socket.on("error", () => {}); // "close" comes next
      socket.on("close", (code, reason) => resolve({ code, reason: String(reason) }));
    }).finally(() => clearInterval(ping));
    await work;
    return close;
  }

  /** Does what a close code asks for. */
  private async heed({ code }: Close): Promise<void> {
    if (code === SUSPENDED) throw new Refused(403, "The account is suspended.");
    // Not all clients of that server at once.
    if (code === RESTARTS) await sleep(Math.random() * 30 * SECOND);
    // Any request will do: the session renews itself when the answer is a 401.
    if (code === NO_SESSION) await good(this.session.client.GET("/api/session"));
  }

  /** Takes an event that is the next change; asks for what is missing before a later one. */
  private async hear(event: ServiceEvent): Promise<void> {
    this.pause = SECOND;
    switch (event.type) {
      case "ready":
      case "pong": // a minute later: the very last event may have been lost
        return this.catchUp();
      case "message.created":
      case "message.updated":
      case "message.deleted":
        return this.hearChange(event, event.message);
      case "conversation.created":
      case "conversation.updated":
        return this.hearChange(event);
      case "conversation.removed":
        if (event.conversationId === this.id) throw new Refused(403, "You are no longer a member.");
        return;
      case "conversation.read":
      case "friend.accepted":
      case "friend.removed":
      case "friend.requested":
      case "invite.created":
      case "invite.resolved":
      case "notification.created":
      case "notification.read":
      case "presence.changed":
      case "profile.updated":
      case "typing":
        return; // for programs that show more than one conversation
      case "error":
      case "session.ended":
        return; // the close code says what to do
      default:
        event satisfies never; // the compiler names a type that is missing above; a newer service has more
    }
  }

  private async hearChange(
    { conversationId, revision }: { conversationId: string; revision: number },
    message?: Message,
  ): Promise<void> {
    if (conversationId !== this.id) return;
    if (revision > this.known + 1) return this.catchUp();
    if (revision === this.known + 1) {
      this.known += 1;
      if (message !== undefined) this.take(message);
    }
  }

  /** Reads what has changed since the revision that we know; at first, the newest messages. */
  private async catchUp(): Promise<void> {
    const { client } = this.session;
    const path = { conversation_id: this.id };
    const now = await good(client.GET("/api/conversations/{conversation_id}", { params: { path } }));
    if (this.known === 0) {
      now.messages.forEach((message) => this.take(message));
    } else {
      let position: number | null = this.known;
      while (position !== null) {
        const query: { changedAfter: number; limit: number } = { changedAfter: position, limit: 100 };
        const page: { messages: Message[]; next: number | null } = await good(
          client.GET("/api/conversations/{conversation_id}/messages", { params: { path, query } }),
        );
        page.messages.forEach((message) => this.take(message));
        position = page.next;
      }
    }
    this.known = Math.max(this.known, now.conversation.revision);
  }

  /** Shows a message that is new or has changed since it was shown. */
  private take(message: Message): void {
    if ((this.shown.get(message.seq) ?? 0) >= message.revision) return;
    this.shown.set(message.seq, message.revision);
    this.show(message);
  }
}
