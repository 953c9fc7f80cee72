import { inLanguage } from "../lib/language";
import { inOneLine, namesakes, type Named } from "../people/naming";
import { ownName } from "../session/session";
import { presence, type Conversation, type Message, type PresenceStatus } from "./state";

const texts = inLanguage({ en: { nobody: "Somebody who left" }, sv: { nobody: "Någon som har lämnat" } });

/** Who the other one of a direct conversation is. */
export const otherIn = ({ type, participants }: Conversation): string | undefined =>
  type === "dm" ? participants.find((each) => each !== ownName()) : undefined;

export const nameOf = (username: string, { participantNames }: Conversation): string =>
  participantNames[username] ?? texts.nobody;

/** How a member is named, and everything that shows who it really is. */
export function personIn(username: string, conversation: Conversation): Named {
  const { participantRealNames, participantTypes } = conversation;
  const name = nameOf(username, conversation);
  return { username, name, realName: participantRealNames?.[username], role: participantTypes?.[username] };
}

/** Those of the members who share a name with another. */
export const namesakesIn = (conversation: Conversation): ReadonlySet<string> =>
  namesakes(conversation.participants.map((username) => personIn(username, conversation)));

/** Who is meant, in one line. */
export const lineFor = (username: string, conversation: Conversation): string =>
  inOneLine(personIn(username, conversation), namesakesIn(conversation).has(username));

/** Who wrote a message, also if they have left. */
export const senderOf = ({ senderUsername, senderDisplayName, senderRealName, senderUserType }: Message): Named => ({
  username: senderUsername,
  name: senderDisplayName,
  realName: senderRealName,
  role: senderUserType ?? undefined,
});

export const senderLine = (message: Message, conversation: Conversation): string =>
  inOneLine(senderOf(message), namesakesIn(conversation).has(message.senderUsername));

/** Who wrote what a message quotes. */
export function quotedLine({ replyTo }: Message, conversation: Conversation): string {
  if (!replyTo) return "";
  const { senderUsername: username, senderDisplayName: name, senderRealName: realName, senderUserType } = replyTo;
  const role = senderUserType ?? undefined;
  return inOneLine({ username, name, realName, role }, namesakesIn(conversation).has(username));
}

export function titleOf(conversation: Conversation): string {
  if (conversation.type === "group") return conversation.groupName ?? "–";
  const other = otherIn(conversation);
  return other ? nameOf(other, conversation) : texts.nobody;
}

export const pictureOf = (conversation: Conversation): string | undefined =>
  conversation.participantPfpUrls[otherIn(conversation) ?? ""];

export const presenceOf = (username: string | undefined): PresenceStatus => presence.value[username ?? ""] ?? "offline";
