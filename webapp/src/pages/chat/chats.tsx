import { inLanguage } from "../../lib/language";
import { whenOf } from "../../lib/school_time";
import { useNow } from "../../lib/use_now";
import { ENCRYPTED_MESSAGE } from "../../live/apply";
import { lineFor, otherIn, personIn, pictureOf, presenceOf, titleOf } from "../../live/names";
import { NotLive } from "../../live/not_live";
import { chatList, isListKnown, typingIn, type Conversation } from "../../live/state";
import { namesakes, type Named } from "../../people/naming";
import { PersonName } from "../../people/person_name";
import { ownName } from "../../session/session";
import { Page } from "../../shell/page";
import { Avatar } from "../../ui/avatar";
import { Icon } from "../../ui/icon";

const texts = inLanguage({
  en: {
    title: "Chats",
    add: "New chat",
    none: "No chats yet. Begin one with a friend.",
    loading: "Loading …",
    you: "You",
    types: "writes …",
    online: "Online",
    encrypted: "Encrypted",
    encryptedMessage: "Encrypted message",
    deletedMessage: "Deleted message",
    sharedCard: "Shared card",
    unread: (count: number) => `${count} unread`,
  },
  sv: {
    title: "Chattar",
    add: "Ny chatt",
    none: "Inga chattar än. Börja en med en kompis.",
    loading: "Laddar …",
    you: "Du",
    types: "skriver …",
    online: "Online",
    encrypted: "Krypterad",
    encryptedMessage: "Krypterat meddelande",
    deletedMessage: "Borttaget meddelande",
    sharedCard: "Delat kort",
    unread: (count: number) => (count === 1 ? "1 oläst" : `${count} olästa`),
  },
});

export default function Chats() {
  const now = useNow();
  const sharing = namesakes(chatList.value.flatMap(({ conversation }) => otherPerson(conversation) ?? []));
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
      {chatList.value.length > 0 && (
        <ul class="rows">
          {chatList.value.map(({ conversation }) => (
            <li key={conversation.id}>
              <ChatRow conversation={conversation} sharing={sharing} now={now} />
            </li>
          ))}
        </ul>
      )}
    </Page>
  );
}

interface Props {
  conversation: Conversation;
  /** Those in the list who share a name. */
  sharing: ReadonlySet<string>;
  now: number;
}

/** The other one of a direct conversation. */
function otherPerson(conversation: Conversation): Named | undefined {
  const other = otherIn(conversation);
  return other === undefined ? undefined : personIn(other, conversation);
}

function ChatRow({ conversation, sharing, now }: Props) {
  const person = otherPerson(conversation);
  const { id, encrypted, unreadCount, lastAt } = conversation;
  const isOnline = presenceOf(otherIn(conversation)) === "online";
  return (
    <a class="row chat-row" href={`/app/chats/${id}`}>
      <span class="chat-picture" data-online={isOnline}>
        <Avatar name={titleOf(conversation)} picture={pictureOf(conversation)} />
        {isOnline && <span class="visually-hidden">{texts.online}</span>}
      </span>
      <div class="row-main">
        <p class="row-title">
          <span>
            {person ? <PersonName person={person} isNamesake={sharing.has(person.username)} /> : titleOf(conversation)}
          </span>
          {encrypted && (
            <>
              <Icon name="lock" />
              <span class="visually-hidden">{texts.encrypted}</span>
            </>
          )}
        </p>
        <p class="row-text">{lineOf(conversation)}</p>
      </div>
      <div class="chat-side">
        <time class="quiet small" dateTime={new Date(lastAt).toISOString()}>
          {whenOf(lastAt, now)}
        </time>
        {unreadCount > 0 && (
          <span class="count">
            <span aria-hidden="true">{Math.min(unreadCount, 99)}</span>
            <span class="visually-hidden">{texts.unread(unreadCount)}</span>
          </span>
        )}
      </div>
    </a>
  );
}

/** What the service says in English where there is no text to show. */
const labels = new Map([
  [ENCRYPTED_MESSAGE, texts.encryptedMessage],
  ["Deleted message", texts.deletedMessage],
  ["Shared card", texts.sharedCard],
]);

/** Who writes now, or what was said last and by whom. */
function lineOf(conversation: Conversation): string {
  const [writer] = typingIn(conversation.id);
  if (writer) return `${lineFor(writer, conversation)} ${texts.types}`;
  const { lastSenderUsername: sender, lastMessage } = conversation;
  if (!sender || !lastMessage) return lastMessage;
  const said = labels.get(lastMessage) ?? lastMessage;
  const name = sender === ownName() ? texts.you : conversation.type === "group" && lineFor(sender, conversation);
  return name ? `${name}: ${said}` : said;
}
