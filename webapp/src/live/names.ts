import { inLanguage } from "../lib/language";
import { ownName } from "../session/session";
import { presence, type Conversation, type PresenceStatus } from "./state";

const texts = inLanguage({ en: { nobody: "Somebody who left" }, sv: { nobody: "Någon som har lämnat" } });

/** Who the other one of a direct conversation is. */
export const otherIn = ({ type, participants }: Conversation): string | undefined =>
  type === "dm" ? participants.find((each) => each !== ownName()) : undefined;

export const nameOf = (username: string, { participantNames }: Conversation): string =>
  participantNames[username] ?? texts.nobody;

export function titleOf(conversation: Conversation): string {
  if (conversation.type === "group") return conversation.groupName ?? "–";
  const other = otherIn(conversation);
  return other ? nameOf(other, conversation) : texts.nobody;
}

export const pictureOf = (conversation: Conversation): string | undefined =>
  conversation.participantPfpUrls[otherIn(conversation) ?? ""];

export const presenceOf = (username: string | undefined): PresenceStatus => presence.value[username ?? ""] ?? "offline";
