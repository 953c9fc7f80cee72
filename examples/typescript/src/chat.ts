/** Talk with somebody: npm run chat USERNAME OTHER. Every line that is typed is sent. */

import { randomUUID } from "node:crypto";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { Follower, type Message } from "./follow.js";
import { good, readArguments, Refused, run, signIn, type ServiceClient } from "./session.js";

async function main(): Promise<void> {
  const [username = "", other = ""] = readArguments("USERNAME", "OTHER");
  const session = await signIn(username);
  const body = { targetUsername: other };
  const { conversation } = await good(session.client.POST("/api/conversations", { body }));
  console.log(`You and ${conversation.participantNames[other]}`);
  await Promise.all([
    sendLines(session.client, conversation.id),
    new Follower(session, conversation.id, show).follow(),
  ]);
}

function show(message: Message): void {
  const text = message.deletedAt === null ? message.content : "(deleted)";
  const edited = message.edited ? " (edited)" : "";
  console.log(`${message.seq} ${message.senderDisplayName}: ${text}${edited}`);
}

/** Sends what is typed. It is shown when it comes back, like everybody's messages. */
async function sendLines(client: ServiceClient, id: string): Promise<void> {
  for await (const line of createInterface({ input: process.stdin })) {
    if (line.trim()) await send(client, id, line.trim());
  }
}

/**
 * Sends a message, and tries again while it is not known to be kept.
 * The service keeps a message once for each `clientId`, so trying again cannot double it.
 */
async function send(client: ServiceClient, id: string, content: string): Promise<void> {
  const params = { path: { conversation_id: id } };
  const body = { content, clientId: randomUUID() };
  for (;;) {
    try {
      await good(client.POST("/api/conversations/{conversation_id}/messages", { params, body }));
      return;
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      if (!error.isTemporary) return console.error(`Not sent: ${error.message}`);
    }
    console.error("Not sent yet. Trying again.");
    await sleep(1000);
  }
}

await run(main);
