/** What the service says over the WebSocket. Ignore types that are not here: more will come. */

import type { components } from "./schema.js";

type Conversation = components["schemas"]["Conversation"];
type Friendship = components["schemas"]["Friendship"];
type Invite = components["schemas"]["Invite"];
type Message = components["schemas"]["Message"];

export type ServiceEvent =
  | { type: "ready"; username: string }
  | { type: "pong" }
  | { type: "error"; code: string }
  | { type: "message.created"; conversationId: string; revision: number; message: Message }
  | { type: "message.updated"; conversationId: string; revision: number; message: Message }
  | { type: "message.deleted"; conversationId: string; revision: number; message: Message }
  | { type: "conversation.created"; conversationId: string; revision: number; conversation: Conversation }
  | { type: "conversation.updated"; conversationId: string; revision: number; conversation: Conversation }
  | { type: "conversation.removed"; conversationId: string }
  | { type: "conversation.read"; conversationId: string; username: string; seq: number }
  | { type: "profile.updated"; username: string; displayName: string; pfpUrl: string }
  | { type: "presence.changed"; username: string; status: "online" | "idle" | "offline" }
  | { type: "friend.requested"; friendship: Friendship }
  | { type: "friend.accepted"; friendship: Friendship }
  | { type: "friend.removed"; friendship: Friendship }
  | { type: "invite.created"; invite: Invite }
  | { type: "invite.resolved"; invite: Invite }
  | { type: "typing"; conversationId: string; username: string }
  | { type: "session.ended"; reason: "logout" | "suspended" | "expired" };
