import { useRoute } from "preact-iso";
import { useEffect, useState } from "preact/hooks";
import { inLanguage } from "../../lib/language";
import { markRead } from "../../live/actions";
import { lineFor, otherIn, personIn, presenceOf, titleOf } from "../../live/names";
import { NotLive } from "../../live/not_live";
import { typingIn, type Chat, type Conversation, type Message } from "../../live/state";
import { useEncryption } from "../../live/use_encryption";
import { useMessages } from "../../live/use_messages";
import { isAdult } from "../../people/naming";
import { loadPresence } from "../../people/presence";
import { RoleTag } from "../../people/role_tag";
import { Page } from "../../shell/page";
import { Icon } from "../../ui/icon";
import { Notice } from "../../ui/notice";
import { Composer } from "./composer";
import { MessageList } from "./message_list";
import { Passphrase } from "./passphrase";
import { useVisibleHeight } from "./use_visible_height";

const texts = inLanguage({
  en: {
    title: "Chat",
    about: "About this chat",
    realName: (name: string) => `Name at school: ${name}`,
    gone: "You are no longer a member of this chat.",
    types: "writes …",
    presence: { online: "Online", idle: "Away", offline: "" },
    members: (count: number) => (count === 1 ? "1 member" : `${count} members`),
    loading: "Loading …",
  },
  sv: {
    title: "Chatt",
    about: "Om chatten",
    realName: (name: string) => `Namn i skolan: ${name}`,
    gone: "Du är inte längre med i chatten.",
    types: "skriver …",
    presence: { online: "Online", idle: "Borta", offline: "" },
    members: (count: number) => (count === 1 ? "1 medlem" : `${count} medlemmar`),
    loading: "Laddar …",
  },
});

/** A chat; `?at=` is the seq of a message to which it opens. */
export default function ConversationPage() {
  const { params, query } = useRoute();
  const id = params["id"] ?? "";
  const found = /^\d{1,9}$/.test(query["at"] ?? "") ? Number(query["at"]) : undefined;
  // The router keeps the page when only the id changes; nothing of one chat belongs to the next.
  return <OneConversation key={id} id={id} found={found} />;
}

function OneConversation({ id, found }: { id: string; found: number | undefined }) {
  const { chat, isGone, reading, readingEarlier, readEarlier } = useMessages(id, found);
  const error = reading.error ?? readingEarlier.error;
  const about = chat && (
    <a class="button-icon" href={`/app/chats/${id}/about`} aria-label={texts.about}>
      <Icon name="more" />
    </a>
  );
  return (
    <Page title={chat ? titleOf(chat.conversation) : texts.title} back="/app/chats" actions={about} class="chat">
      {error && <Notice kind="error">{error.message}</Notice>}
      {isGone && <Notice>{texts.gone}</Notice>}
      {chat?.messages && <OpenChat chat={chat} messages={chat.messages} found={found} readEarlier={readEarlier} />}
      {!chat?.messages && !reading.error && !isGone && <div class="skeleton" role="status" aria-label={texts.loading} />}
    </Page>
  );
}

interface Props {
  chat: Chat;
  messages: Message[];
  found: number | undefined;
  readEarlier: () => void;
}

function OpenChat({ chat, messages, found, readEarlier }: Props) {
  const { conversation, hasEarlier } = chat;
  const encryption = useEncryption(conversation);
  const [answered, setAnswered] = useState<Message | null>(null);
  const [edited, setEdited] = useState<Message | null>(null);
  useMarkRead(conversation);
  usePresence(conversation);
  useVisibleHeight();
  return (
    <>
      <ChatPerson conversation={conversation} />
      <p class="chat-status small quiet" role="status">
        {statusOf(conversation)}
      </p>
      <NotLive />
      <MessageList
        conversation={conversation}
        messages={messages}
        encryption={encryption}
        found={found}
        readEarlier={hasEarlier ? readEarlier : undefined}
        onReply={setAnswered}
        onEdit={setEdited}
      />
      {encryption.state === "locked" ? (
        <Passphrase conversation={conversation} encryption={encryption} messages={messages} />
      ) : (
        <Composer
          key={edited?.id ?? "new"}
          conversation={conversation}
          encryption={encryption}
          answered={answered}
          edited={edited}
          onDone={() => {
            setAnswered(null);
            setEdited(null);
          }}
        />
      )}
    </>
  );
}

/** Who it really is, below the name that they have chosen. */
function ChatPerson({ conversation }: { conversation: Conversation }) {
  const other = otherIn(conversation);
  if (other === undefined) return null;
  const { realName, role } = personIn(other, conversation);
  if (!realName && !isAdult(role)) return null;
  return (
    <p class="chat-person small">
      {realName && <span>{texts.realName(realName)}</span>} {isAdult(role) && role && <RoleTag role={role} />}
    </p>
  );
}

function statusOf(conversation: Conversation): string {
  const writers = typingIn(conversation.id).map((each) => lineFor(each, conversation));
  if (writers.length > 0) return `${writers.join(", ")} ${texts.types}`;
  if (conversation.type === "group") return texts.members(conversation.participants.length);
  return texts.presence[presenceOf(otherIn(conversation))];
}

/** What is shown is read, while the page is looked at. */
function useMarkRead(conversation: Conversation): void {
  const { id, lastSeq, lastReadSeq } = conversation;
  useEffect(() => {
    const mark = () => {
      if (document.visibilityState !== "visible" || lastReadSeq >= lastSeq) return;
      void markRead(conversation).catch(() => undefined); // tried again with the next message
    };
    mark();
    document.addEventListener("visibilitychange", mark);
    return () => document.removeEventListener("visibilitychange", mark);
  }, [id, lastSeq, lastReadSeq]);
}

/** Events tell of friends only; of the others, the service is asked. */
function usePresence(conversation: Conversation): void {
  const other = otherIn(conversation);
  useEffect(() => {
    if (other) void loadPresence([other]);
  }, [other]);
}
