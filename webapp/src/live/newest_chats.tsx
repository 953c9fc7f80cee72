import { inLanguage } from "../lib/language";
import { ChatRows } from "./chat_rows";
import { chatList } from "./state";

const texts = inLanguage({ en: { none: "No chats yet." }, sv: { none: "Inga chattar än." } });

const SHOWN = 3;

/** The conversations in which something was said last. */
export function NewestChats({ now }: { now: number }) {
  if (chatList.value.length === 0) return <p class="quiet">{texts.none}</p>;
  return <ChatRows chats={chatList.value.slice(0, SHOWN)} now={now} />;
}
