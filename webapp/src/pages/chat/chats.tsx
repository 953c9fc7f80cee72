import { inLanguage } from "../../lib/language";
import { useNow } from "../../lib/use_now";
import { ChatRows } from "../../live/chat_rows";
import { NotLive } from "../../live/not_live";
import { chatList, isListKnown } from "../../live/state";
import { Page } from "../../shell/page";
import { Icon } from "../../ui/icon";

const texts = inLanguage({
  en: {
    title: "Chats",
    add: "New chat",
    none: "No chats yet. Begin one with a friend.",
    loading: "Loading …",
  },
  sv: {
    title: "Chattar",
    add: "Ny chatt",
    none: "Inga chattar än. Börja en med en kompis.",
    loading: "Laddar …",
  },
});

export default function Chats() {
  const now = useNow();
  const add = (
    <a class="button" href="/app/chats/new">
      <Icon name="add" /> {texts.add}
    </a>
  );
  return (
    <Page title={texts.title} actions={add}>
      <NotLive />
      {!isListKnown.value && <div class="skeleton" role="status" aria-label={texts.loading} />}
      {isListKnown.value && chatList.value.length === 0 && <p class="empty">{texts.none}</p>}
      {chatList.value.length > 0 && <ChatRows chats={chatList.value} now={now} />}
    </Page>
  );
}
