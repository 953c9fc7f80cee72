import { Fragment } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { inLanguage } from "../../lib/language";
import { dayFromToday, dayOf } from "../../lib/school_time";
import { useNow } from "../../lib/use_now";
import { waitingIn } from "../../live/outbox";
import type { Conversation, Message } from "../../live/state";
import type { Encryption } from "../../live/use_encryption";
import { useTexts } from "../../live/use_texts";
import { Bubble, hasChoices } from "./bubble";
import { MessageDialog } from "./message_dialog";
import { useTouch } from "./use_touch";
import { useUnseen } from "./use_unseen";
import { WaitingBubble } from "./waiting_bubble";

const texts = inLanguage({
  en: {
    earlier: "Show earlier messages",
    messages: "Messages",
    none: "Nothing is said yet. Say hello!",
    fresh: "New messages",
    unseen: (count: number) => (count === 1 ? "1 new message" : `${count} new messages`),
  },
  sv: {
    earlier: "Visa tidigare meddelanden",
    messages: "Meddelanden",
    none: "Inget är sagt än. Säg hej!",
    fresh: "Nya meddelanden",
    unseen: (count: number) => (count === 1 ? "1 nytt meddelande" : `${count} nya meddelanden`),
  },
});

interface Props {
  conversation: Conversation;
  messages: Message[];
  encryption: Encryption;
  /** The seq of a message that was searched for: it is marked, and the list opens at it. */
  found: number | undefined;
  readEarlier?: (() => void) | undefined;
  onReply: (message: Message) => void;
  onEdit: (message: Message) => void;
}

/** The messages, the newest at the bottom, where the list stays while it grows. */
export function MessageList({ conversation, messages, encryption, found, readEarlier, onReply, onEdit }: Props) {
  const today = dayOf(useNow());
  // The event of a message may come before the answer to sending it.
  const arrived = new Set(messages.map(({ clientId }) => clientId));
  const waiting = waitingIn(conversation.id).value.filter(({ clientId }) => !arrived.has(clientId));
  const textOf = useTexts([...messages, ...waiting.map(({ body }) => ({ content: body.content ?? "" }))], encryption);
  const [opened, setOpened] = useState<Message | null>(null);
  // The message to which Tab goes: the last one that had the focus, else the newest.
  const [current, setCurrent] = useState<number>();
  // Where reading had ended when the page was opened.
  const [firstUnread] = useState(() => conversation.unreadCount > 0 && conversation.lastReadSeq + 1);
  const list = useRef<HTMLOListElement>(null);
  const area = useRef<HTMLDivElement>(null);
  const unseen = useUnseen(area, messages);
  const withSeq = (seq: number) => messages.find((each) => each.seq === seq);
  useTouch(list, {
    onPress: (seq) => {
      const message = withSeq(seq);
      if (message && hasChoices(message)) setOpened(message);
    },
    onSwipe: (seq) => {
      const message = withSeq(seq);
      if (message && message.deletedAt === null) onReply(message);
    },
  });
  const isFound = messages.some(({ seq }) => seq === found);
  useEffect(() => {
    if (isFound) list.current?.querySelector(`[data-seq="${found}"]`)?.scrollIntoView({ block: "center" });
  }, [found, isFound]);
  const shown = opened && withSeq(opened.seq);
  return (
    <div class="messages-area">
      <div ref={area} class="messages" role="log" aria-label={texts.messages} tabIndex={0}>
        <div>
          {readEarlier && (
            <button type="button" class="button-quiet messages-earlier" onClick={readEarlier}>
              {texts.earlier}
            </button>
          )}
          {messages.length + waiting.length === 0 && <p class="empty">{texts.none}</p>}
          <ol ref={list} onKeyDown={goToOther} onFocusIn={(event) => setCurrent(seqOf(event.target))}>
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
                    isFound={message.seq === found}
                    isLocked={encryption.state !== "open"}
                    isCurrent={message.seq === (messages.some(({ seq }) => seq === current) ? current : messages.at(-1)?.seq)}
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
        {shown && (
          <MessageDialog
            message={shown}
            text={textOf(shown)}
            conversation={conversation}
            onClose={() => setOpened(null)}
            onReply={() => onReply(shown)}
            onEdit={() => onEdit({ ...shown, content: textOf(shown) ?? "" })}
          />
        )}
      </div>
      {unseen.count > 0 && (
        <button type="button" class="button messages-unseen" onClick={unseen.show}>
          {texts.unseen(unseen.count)} <span aria-hidden="true">↓</span>
        </button>
      )}
    </div>
  );
}

const rowOf = (target: EventTarget | null): HTMLElement | null =>
  target instanceof Element ? target.closest<HTMLElement>("[data-seq]") : null;

function seqOf(target: EventTarget | null): number | undefined {
  const row = rowOf(target);
  return row ? Number(row.dataset["seq"]) : undefined;
}

/** The arrow keys go from message to message; to the right are a message's own buttons. */
function goToOther(event: KeyboardEvent & { currentTarget: HTMLElement }): void {
  const row = rowOf(event.target);
  if (!row || event.altKey || event.ctrlKey || event.metaKey) return;
  const rows = [...event.currentTarget.querySelectorAll<HTMLElement>("[data-seq]")];
  const at = rows.indexOf(row);
  const parts = [row, ...row.querySelectorAll<HTMLElement>("a, button")];
  const part = parts.indexOf(event.target as HTMLElement);
  const next: Record<string, HTMLElement | undefined> = {
    ArrowUp: rows[at - 1],
    ArrowDown: rows[at + 1],
    Home: rows[0],
    End: rows.at(-1),
    ArrowRight: parts[part + 1],
    ArrowLeft: parts[part - 1],
  };
  const wanted = next[event.key];
  if (!wanted) return;
  event.preventDefault();
  wanted.focus();
}

/** The quoted text; in encrypted groups only the message itself has it, if it is shown. */
function quoteOf(message: Message, messages: Message[], textOf: (message: Message) => string | undefined): string {
  if (!message.encrypted) return message.replyTo?.content ?? "";
  const quoted = messages.find((each) => each.id === message.replyTo?.messageId);
  return (quoted && textOf(quoted)) || "…";
}
