import { inLanguage } from "../../lib/language";
import { timeOf } from "../../lib/school_time";
import { changeMessage } from "../../live/actions";
import { lineFor, namesakesIn, quotedLine, senderOf } from "../../live/names";
import type { Conversation, Message } from "../../live/state";
import { PersonName } from "../../people/person_name";
import { ownName } from "../../session/session";
import { Icon } from "../../ui/icon";
import { useAction } from "../../ui/use_action";
import { Card } from "./card";
import { Linked } from "./linked";

const texts = inLanguage({
  en: {
    deleted: "The message was deleted.",
    unreadable: "This was written with another passphrase.",
    locked: "Encrypted. It can be read with the group's passphrase.",
    edited: "edited",
    pinned: "Pinned",
    more: (name: string, text: string) => `More about: ${name}, ${text}`,
    from: (names: string) => `from ${names}`,
  },
  sv: {
    deleted: "Meddelandet togs bort.",
    unreadable: "Det här är skrivet med en annan lösenfras.",
    locked: "Krypterat. Det går att läsa med gruppens lösenfras.",
    edited: "ändrat",
    pinned: "Fäst",
    more: (name: string, text: string) => `Mer om: ${name}, ${text}`,
    from: (names: string) => `från ${names}`,
  },
});

/** So much of a message names it. */
const ABOUT = 60;

interface Props {
  message: Message;
  text: string | undefined;
  quote: string | null;
  conversation: Conversation;
  /** Whether the message before it is of the same person: the name is not said again. */
  isFollowing: boolean;
  /** Whether somebody searched for it. */
  isFound: boolean;
  /** Whether this browser has no key of the group yet. */
  isLocked: boolean;
  /** Whether Tab goes to it; the arrow keys go to the others. */
  isCurrent: boolean;
  onOpen: () => void;
}

export function Bubble({ message, text, quote, conversation, isFollowing, isFound, isLocked, isCurrent, onOpen }: Props) {
  const isOwn = message.senderUsername === ownName();
  const isDeleted = message.deletedAt !== null;
  const isChoosable = hasChoices(message);
  const sender = lineFor(message.senderUsername, conversation);
  const about = `${timeOf(message.createdAt)} ${isDeleted ? texts.deleted : (text ?? "").slice(0, ABOUT)}`.trim();
  return (
    <li
      class="bubble-row"
      tabIndex={isCurrent ? 0 : -1}
      data-seq={message.seq}
      onKeyDown={(event) => {
        if (event.key !== "Enter" || event.target !== event.currentTarget || !isChoosable) return;
        event.preventDefault();
        onOpen();
      }}
      data-own={isOwn} data-following={isFollowing}
      aria-current={isFound || undefined}
    >
      {!isFollowing && (
        <p class={isOwn || conversation.type === "dm" ? "visually-hidden" : "bubble-name"}>
          <PersonName person={senderOf(message)} isNamesake={namesakesIn(conversation).has(message.senderUsername)} />
        </p>
      )}
      <div class="bubble-line">
        <div class="bubble" data-deleted={isDeleted} onDblClick={isChoosable ? onOpen : undefined}>
          {message.replyTo && (
            <blockquote>
              <strong>{quotedLine(message, conversation)}</strong> {quote}
            </blockquote>
          )}
          {message.shareCard && <Card card={message.shareCard} />}
          {isDeleted ? <em>{texts.deleted}</em> : text === undefined ? <em>{isLocked ? texts.locked : texts.unreadable}</em> : <Linked text={text} mentions={message.mentions} />}
          <span class="bubble-about">
            {message.pinned && (
              <>
                <Icon name="pin" />
                <span class="visually-hidden">{texts.pinned}</span>
              </>
            )}
            {message.edited && !isDeleted && texts.edited}{" "}
            <time dateTime={new Date(message.createdAt).toISOString()}>{timeOf(message.createdAt)}</time>
          </span>
        </div>
        {isChoosable && (
          <button type="button" class="button-icon bubble-more" tabIndex={-1} aria-label={texts.more(sender, about)} onClick={onOpen}>
            <Icon name="more" />
          </button>
        )}
      </div>
      <Reactions message={message} conversation={conversation} />
    </li>
  );
}

/** Whether something can be done with it: what somebody else has deleted can be reported. */
export const hasChoices = ({ deletedAt, senderUsername }: Message): boolean => deletedAt === null || senderUsername !== ownName();

function Reactions({ message, conversation }: { message: Message; conversation: Conversation }) {
  const { run } = useAction();
  const all = Object.entries(message.reactions);
  if (all.length === 0) return null;
  return (
    <ul class="reactions">
      {all.map(([emoji, usernames]) => (
        <li key={emoji}>
          <button
            type="button"
            aria-pressed={usernames.includes(ownName())}
            onClick={() => void run(() => changeMessage(message, { action: "react", emoji }))}
          >
            {emoji}{" "}
            <span class="visually-hidden">{texts.from(usernames.map((each) => lineFor(each, conversation)).join(", "))}</span>{" "}
            {usernames.length}
          </button>
        </li>
      ))}
    </ul>
  );
}
