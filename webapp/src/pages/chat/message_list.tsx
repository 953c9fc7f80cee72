import { Fragment } from "preact";
import { useState } from "preact/hooks";
import { inLanguage } from "../../lib/language";
import { dayFromToday, dayOf } from "../../lib/school_time";
import { useNow } from "../../lib/use_now";
import { waitingIn } from "../../live/outbox";
import type { Conversation, Message } from "../../live/state";
import type { Encryption } from "../../live/use_encryption";
import { useTexts } from "../../live/use_texts";
import { Bubble } from "./bubble";
import { MessageDialog } from "./message_dialog";
import { WaitingBubble } from "./waiting_bubble";

const texts = inLanguage({
  en: { earlier: "Show earlier messages", messages: "Messages", none: "Nothing is said yet. Say hello!", fresh: "New messages" },
  sv: { earlier: "Visa tidigare meddelanden", messages: "Meddelanden", none: "Inget är sagt än. Säg hej!", fresh: "Nya meddelanden" },
});

interface Props {
  conversation: Conversation;
  messages: Message[];
  encryption: Encryption;
  readEarlier?: (() => void) | undefined;
  onReply: (message: Message) => void;
  onEdit: (message: Message) => void;
}

/** The messages, the newest at the bottom, where the list stays while it grows. */
export function MessageList({ conversation, messages, encryption, readEarlier, onReply, onEdit }: Props) {
  const today = dayOf(useNow());
  // The event of a message may come before the answer to sending it.
  const arrived = new Set(messages.map(({ clientId }) => clientId));
  const waiting = waitingIn(conversation.id).value.filter(({ clientId }) => !arrived.has(clientId));
  const textOf = useTexts([...messages, ...waiting.map(({ body }) => ({ content: body.content ?? "" }))], encryption);
  const [opened, setOpened] = useState<Message | null>(null);
  // Where reading had ended when the page was opened.
  const [firstUnread] = useState(() => conversation.unreadCount > 0 && conversation.lastReadSeq + 1);
  const current = opened && messages.find((each) => each.seq === opened.seq);
  return (
    <div class="messages" role="log" aria-label={texts.messages} tabIndex={0}>
      <div>
        {readEarlier && (
          <button type="button" class="button-quiet messages-earlier" onClick={readEarlier}>
            {texts.earlier}
          </button>
        )}
        {messages.length + waiting.length === 0 && <p class="empty">{texts.none}</p>}
        <ol>
          {messages.map((message, index) => {
            const before = messages[index - 1];
            const day = dayOf(message.createdAt);
            const isNewDay = !before || dayOf(before.createdAt) !== day;
            return (
              <Fragment key={message.seq}>
                {isNewDay && <li class="messages-day">{dayFromToday(day, today)}</li>}
                {message.seq === firstUnread && <li class="messages-new">{texts.fresh}</li>}
                <Bubble
                  message={message}
                  text={textOf(message)}
                  quote={message.replyTo && quoteOf(message, messages, textOf)}
                  conversation={conversation}
                  isFollowing={!isNewDay && before?.senderUsername === message.senderUsername}
                  isLocked={encryption.state !== "open"}
                  onOpen={() => setOpened(message)}
                />
              </Fragment>
            );
          })}
          {waiting.map((each) => (
            <WaitingBubble key={each.clientId} waiting={each} text={textOf({ content: each.body.content ?? "" })} />
          ))}
        </ol>
      </div>
      {current && (
        <MessageDialog
          message={current}
          text={textOf(current)}
          conversation={conversation}
          onClose={() => setOpened(null)}
          onReply={() => onReply(current)}
          onEdit={() => onEdit({ ...current, content: textOf(current) ?? "" })}
        />
      )}
    </div>
  );
}

/** The quoted text; in encrypted groups only the message itself has it, if it is shown. */
function quoteOf(message: Message, messages: Message[], textOf: (message: Message) => string | undefined): string {
  if (!message.encrypted) return message.replyTo?.content ?? "";
  const quoted = messages.find((each) => each.id === message.replyTo?.messageId);
  return (quoted && textOf(quoted)) || "…";
}
