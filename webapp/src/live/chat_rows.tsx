import { inLanguage } from "../lib/language";
import { whenOf } from "../lib/school_time";
import { namesakes, type Named } from "../people/naming";
import { PersonName } from "../people/person_name";
import { ownName } from "../session/session";
import { Avatar } from "../ui/avatar";
import { Icon } from "../ui/icon";
import { ENCRYPTED_MESSAGE } from "./apply";
import { lineFor, otherIn, personIn, pictureOf, presenceOf, titleOf } from "./names";
import { chatList, typingIn, type Chat, type Conversation } from "./state";

const texts = inLanguage({
  en: {
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

interface Props {
  chats: Chat[];
  now: number;
}

/** Conversations, each with what was said last and how much of it is unread. */
export function ChatRows({ chats, now }: Props) {
  const sharing = namesakes(chatList.value.flatMap(({ conversation }) => otherPerson(conversation) ?? []));
  return (
    <ul class="rows">
      {chats.map(({ conversation }) => (
        <li key={conversation.id}>
          <ChatRow conversation={conversation} sharing={sharing} now={now} />
        </li>
      ))}
    </ul>
  );
}

interface RowProps {
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

function ChatRow({ conversation, sharing, now }: RowProps) {
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
