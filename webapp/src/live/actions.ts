/** Changes of messages and conversations. Each shows the service's answer at once. */

import { api, type Schemas } from "../api/client";
import { good } from "../api/errors";
import { removeConversation, takeMessage, takeRead, takeWithoutMessages } from "./apply";
import { sync } from "./follow";
import type { Conversation, Message } from "./state";
import { ownName } from "../session/session";

export async function changeMessage(message: Message, body: Schemas["MessageChangeRequest"]): Promise<void> {
  const params = { path: { conversation_id: message.conversationId, message_id: message.id } };
  const answer = await good(api.PATCH("/api/conversations/{conversation_id}/{message_id}", { params, body }));
  takeMessage(answer.message);
}

export async function deleteMessage(message: Message): Promise<void> {
  const params = { path: { conversation_id: message.conversationId, message_id: message.id } };
  await good(api.DELETE("/api/conversations/{conversation_id}/{message_id}", { params }));
}

export async function changeConversation(id: string, body: Schemas["ConversationChangeRequest"]): Promise<void> {
  const params = { path: { conversation_id: id } };
  const { conversation } = await good(api.PATCH("/api/conversations/{conversation_id}", { params, body }));
  if (conversation && !takeWithoutMessages(conversation)) await sync();
  if (body.action === "leave") removeConversation(id);
}

export async function markRead({ id, lastSeq }: Conversation): Promise<void> {
  await changeConversation(id, { action: "mark_read", seq: lastSeq });
  takeRead(id, ownName(), lastSeq);
}

/** Opens the conversation with somebody, or the new one; returns its id. */
export async function startConversation(body: Schemas["NewConversationRequest"]): Promise<string> {
  const { conversation } = await good(api.POST("/api/conversations", { body }));
  if (!takeWithoutMessages(conversation)) await sync();
  return conversation.id;
}
