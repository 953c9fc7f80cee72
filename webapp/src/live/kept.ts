/** The newest conversations, kept on the device: shown at once on the next visit, and readable offline. */

import { effect } from "@preact/signals";
import { keepCopy, readCopy } from "../device/store";
import { chatList, chats, isListKnown, type Chat } from "./state";

const KEPT_CHATS = 50;
const KEPT_MESSAGES = 60;
const KEEP_AFTER = 250;

export async function readKept(): Promise<void> {
  const copy = await readCopy<Chat[]>("chats");
  if (!copy || chats.value.size > 0) return;
  chats.value = new Map(copy.data.map((chat) => [chat.conversation.id, chat]));
  isListKnown.value = true;
}

/** Keeps them whenever they have changed; returns what ends it. */
export function keepOnDevice(): () => void {
  let timer: ReturnType<typeof setTimeout>;
  const stop = effect(() => {
    const newest = chatList.value.slice(0, KEPT_CHATS);
    clearTimeout(timer);
    if (!isListKnown.value) return;
    timer = setTimeout(() => void keepCopy("chats", newest.map(shortened)), KEEP_AFTER);
  });
  return () => {
    stop();
    clearTimeout(timer);
  };
}

function shortened(chat: Chat): Chat {
  const messages = chat.messages?.slice(-KEPT_MESSAGES) ?? null;
  return { ...chat, messages, hasEarlier: chat.hasEarlier || (chat.messages?.length ?? 0) > KEPT_MESSAGES };
}
