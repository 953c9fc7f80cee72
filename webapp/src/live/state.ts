/** The conversations that this device knows, and what goes on in them. */

import { computed, signal } from "@preact/signals";
import type { Schemas } from "../api/client";
import { ownName } from "../session/session";

export type Conversation = Schemas["Conversation"];
export type Message = Schemas["Message"];

export type PresenceStatus = Schemas["PresenceStatus"];

export interface Chat {
  conversation: Conversation;
  /** By `seq`, without gaps, up to the newest; `null` until somebody opens the conversation. */
  messages: Message[] | null;
  /** Whether there are earlier messages than the first. */
  hasEarlier: boolean;
}

export const chats = signal<ReadonlyMap<string, Chat>>(new Map());
/** Whether the list is complete: false until the first answer, when it may be a copy or empty. */
export const isListKnown = signal(false);
/** Whether changes are told at once. False when there has been no socket for a while. */
export const isLive = signal(true);
/** Of whom it is known; people who are no friends only after they were asked for. */
export const presence = signal<Readonly<Record<string, PresenceStatus>>>({});
/** Who types in which conversation: "conversation username", and until when it is shown. */
export const typing = signal<ReadonlyMap<string, number>>(new Map());

export const chatList = computed(() =>
  [...chats.value.values()].sort((a, b) => b.conversation.lastAt - a.conversation.lastAt),
);
export const unreadChats = computed(
  () => chatList.value.filter(({ conversation }) => conversation.unreadCount > 0).length,
);

/** Who else types in a conversation now. */
export const typingIn = (conversationId: string): string[] =>
  [...typing.value.keys()]
    .map((key) => key.split(" ", 2))
    .filter(([id, username]) => id === conversationId && username !== ownName())
    .map(([, username]) => username ?? "");

const SHOWN_TYPING = 6_000;

export function showTyping(conversationId: string, username: string): void {
  const key = `${conversationId} ${username}`;
  typing.value = new Map(typing.value).set(key, Date.now() + SHOWN_TYPING);
  setTimeout(() => {
    if ((typing.value.get(key) ?? 0) <= Date.now()) hideTyping(conversationId, username);
  }, SHOWN_TYPING + 50);
}

export function hideTyping(conversationId: string, username: string): void {
  const left = new Map(typing.value);
  if (left.delete(`${conversationId} ${username}`)) typing.value = left;
}

/** Forgets everything, for the next account. */
export function emptyState(): void {
  chats.value = new Map();
  isListKnown.value = false;
  presence.value = {};
  typing.value = new Map();
}
