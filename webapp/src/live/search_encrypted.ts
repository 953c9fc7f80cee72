/** Searching encrypted groups, which only a device with their keys can. */

import { api } from "../api/client";
import { good } from "../api/errors";
import { decrypt, readKey } from "./encryption";
import { chatList, type Chat, type Message } from "./state";

/** Of each group, the newest messages; and the groups with the newest ones. */
export const SEARCHED_MESSAGES = 100;
const SEARCHED_GROUPS = 20;

export interface Readable {
  chat: Chat;
  message: Message;
  text: string;
}

/** What this device can read of its encrypted groups, the newest first. Nothing of it is kept. */
export async function readEncrypted(): Promise<Readable[]> {
  const groups = chatList.value.filter(({ conversation }) => conversation.encrypted).slice(0, SEARCHED_GROUPS);
  const found = await Promise.all(groups.map(readGroup));
  return found.flat().sort((a, b) => b.message.createdAt - a.message.createdAt);
}

async function readGroup(chat: Chat): Promise<Readable[]> {
  const key = await readKey(chat.conversation.id);
  if (!key) return [];
  const messages = (await newestOf(chat)).filter(({ deletedAt }) => deletedAt === null);
  const texts = await Promise.all(messages.map(({ content, iv }) => decrypt(content, iv, key)));
  return messages.flatMap((message, index) => {
    const text = texts[index];
    return text === undefined ? [] : { chat, message, text };
  });
}

/** From the service; offline, what the device has. */
async function newestOf({ conversation, messages, hasEarlier }: Chat): Promise<Message[]> {
  const known = messages?.slice(-SEARCHED_MESSAGES) ?? [];
  if (messages && (!hasEarlier || known.length === SEARCHED_MESSAGES)) return known;
  const params = { path: { conversation_id: conversation.id }, query: { limit: SEARCHED_MESSAGES } };
  const answer = good(api.GET("/api/conversations/{conversation_id}/messages", { params }));
  return answer.then(
    (page) => page.messages,
    () => known,
  );
}
