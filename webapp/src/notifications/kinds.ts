/** The kinds of notifications: their names and icons. */

import type { Schemas } from "../api/client";
import { inLanguage } from "../lib/language";
import type { IconName } from "../ui/icon";

export type Kind = Schemas["NotificationKind"];

export const ICONS: Record<Kind, IconName> = {
  message: "chat",
  reply: "reply",
  invite: "group",
  friend: "people",
  schedule: "calendar",
  assignment: "book",
  result: "check",
  news: "news",
  inbox: "send",
  report: "flag",
  account: "lock",
  test: "bell",
};

/** In the order of the settings. */
export const KINDS: Exclude<Kind, "test">[] = [
  "message",
  "reply",
  "invite",
  "friend",
  "schedule",
  "assignment",
  "result",
  "news",
  "inbox",
  "report",
  "account",
];

export const kindNames: Record<Kind, string> = inLanguage<Record<Kind, string>>({
  en: {
    message: "Messages",
    reply: "Replies to you",
    invite: "Invites to groups",
    friend: "Friend requests",
    schedule: "Changes of the schedule",
    assignment: "Assignments",
    result: "Results",
    news: "News from the school",
    inbox: "Messages from the school",
    report: "Your reports",
    account: "Your account",
    test: "Tests",
  },
  sv: {
    message: "Meddelanden",
    reply: "Svar till dig",
    invite: "Inbjudningar till grupper",
    friend: "Vänförfrågningar",
    schedule: "Ändringar i schemat",
    assignment: "Uppgifter",
    result: "Resultat",
    news: "Nyheter från skolan",
    inbox: "Meddelanden från skolan",
    report: "Dina anmälningar",
    account: "Ditt konto",
    test: "Test",
  },
});
