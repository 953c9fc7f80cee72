/**
 * Takes in what the service says of conversations, in whatever order it comes.
 *
 * `revision` numbers the changes of a conversation 1, 2, 3 …: an event with the next number is taken
 * in; a later one means that some were missed, and the caller asks `/api/sync` for them.
 */

import type { Schemas } from "../api/client";
import type { components } from "../api/events";
import { ownName } from "../session/session";
import { chats, hideTyping, isListKnown, type Chat, type Conversation, type Message } from "./state";

/** What the service says in the list in place of a text that it cannot read. */
export const ENCRYPTED_MESSAGE = "Encrypted message";

type ProfileUpdated = components["schemas"]["ProfileUpdatedEvent"];

/** Sets a conversation unless a newer one is known. The caller has the messages up to its revision. */
export function takeConversation(conversation: Conversation): void {
  const known = chats.value.get(conversation.id);
  if (known && known.conversation.revision > conversation.revision) return;
  change(conversation.id, (chat) => ({ ...chat, conversation }), conversation);
}

/**
 * The same for a conversation that comes without messages. Returns false, and takes nothing, when
 * messages of it are shown that are older: with the new revision, nobody would ask for what is missing.
 */
export function takeWithoutMessages(conversation: Conversation): boolean {
  const known = chats.value.get(conversation.id);
  if (known?.messages && known.conversation.revision < conversation.revision) return false;
  takeConversation(conversation);
  return true;
}

export function removeConversation(id: string): void {
  const left = new Map(chats.value);
  if (left.delete(id)) chats.value = left;
}

/** The newest messages of a conversation, as its own route gives them: oldest first. */
export function takeNewest(conversation: Conversation, messages: Message[]): void {
  takeConversation(conversation);
  const hasEarlier = (messages[0]?.seq ?? 0) > conversation.joinedSeq + 1;
  change(conversation.id, (chat) => ({ ...chat, messages, hasEarlier }));
}

/** Messages before those that are known: newest first. */
export function takeEarlier(id: string, messages: Message[], hasEarlier: boolean): void {
  change(id, (chat) => ({ ...chat, messages: [...messages.toReversed(), ...(chat.messages ?? [])], hasEarlier }));
}

/** A message as it is now, without saying that every change before it is known. */
export function takeMessage(message: Message): void {
  change(message.conversationId, (chat) => withMessage(chat, message));
}

/** An event about a message. Returns false when changes before it are missing. */
export function takeChange(id: string, revision: number, message: Message): boolean {
  const known = chats.value.get(id);
  if (!known || revision > known.conversation.revision + 1) return false;
  hideTyping(id, message.senderUsername);
  if (revision <= known.conversation.revision) return true;
  // What the list shows of a card, of a deleted message or of an edit is the service's to say.
  if (message.shareCard || message.deletedAt !== null || message.edited) return false;
  change(id, (chat) => {
    const next = withMessage(chat, message);
    return { ...next, conversation: withNewest({ ...next.conversation, revision }, message) };
  });
  return true;
}

/** The answer to a sync that named the conversations `asked`. Returns false when another is needed. */
export function takeSync({ conversations, removed, messages, more }: Schemas["SyncAnswer"], asked: ReadonlySet<string>): boolean {
  let isComplete = true;
  for (const id of removed) removeConversation(id);
  for (const conversation of conversations) {
    if (asked.has(conversation.id)) takeConversation(conversation);
    else isComplete = takeWithoutMessages(conversation) && isComplete;
    for (const message of messages[conversation.id] ?? []) takeMessage(message);
  }
  // So much was missed that it is quicker to begin again with the newest.
  for (const id of more) change(id, (chat) => ({ ...chat, messages: null }));
  isListKnown.value = true;
  return isComplete;
}

export function takeRead(id: string, username: string, seq: number): void {
  if (username !== ownName()) return;
  change(id, (chat) => {
    const { conversation } = chat;
    if (seq <= conversation.lastReadSeq) return chat;
    const unreadCount = seq >= conversation.lastSeq ? 0 : Math.max(0, conversation.unreadCount - (seq - conversation.lastReadSeq));
    return { ...chat, conversation: { ...conversation, lastReadSeq: seq, unreadCount } };
  });
}

/** A new name or picture of somebody, wherever they are a member. */
export function takeProfile({ username, displayName, pfpUrl, userType, realName }: ProfileUpdated): void {
  for (const { conversation } of chats.value.values()) {
    if (!conversation.participants.includes(username)) continue;
    const participantNames = { ...conversation.participantNames, [username]: displayName };
    const participantPfpUrls = { ...conversation.participantPfpUrls, [username]: pfpUrl };
    const participantTypes = { ...conversation.participantTypes, [username]: userType };
    const { [username]: _before, ...others } = conversation.participantRealNames;
    const participantRealNames = realName ? { ...others, [username]: realName } : others;
    const changed = { participantNames, participantPfpUrls, participantTypes, participantRealNames };
    change(conversation.id, (chat) => ({ ...chat, conversation: { ...chat.conversation, ...changed } }));
  }
}

function change(id: string, update: (chat: Chat) => Chat, first?: Conversation): void {
  const known = chats.value.get(id) ?? (first && { conversation: first, messages: null, hasEarlier: false });
  if (known) chats.value = new Map(chats.value).set(id, update(known));
}

function withMessage(chat: Chat, message: Message): Chat {
  const { messages } = chat;
  if (messages === null) return chat;
  const index = messages.findIndex((each) => each.seq === message.seq);
  const stored = messages[index];
  if (stored) return stored.revision > message.revision ? chat : { ...chat, messages: messages.with(index, message) };
  if (message.seq < (messages[0]?.seq ?? 0)) return chat;
  return { ...chat, messages: [...messages, message].sort((a, b) => a.seq - b.seq) };
}

function withNewest(conversation: Conversation, message: Message): Conversation {
  if (message.seq <= conversation.lastSeq) return conversation;
  const isOwn = message.senderUsername === ownName();
  return {
    ...conversation,
    lastSeq: message.seq,
    lastAt: message.createdAt,
    lastSenderUsername: message.senderUsername,
    lastMessage: message.encrypted ? ENCRYPTED_MESSAGE : message.content.slice(0, 120),
    unreadCount: isOwn ? conversation.unreadCount : conversation.unreadCount + 1,
  };
}
