import { useEffect, useState } from "preact/hooks";
import type { Schemas } from "../../api/client";
import { inLanguage } from "../../lib/language";
import { ChildChooser, isChildKnown } from "../../school/child_chooser";
import { dateOfMessage } from "../../school/message_date";
import { readInbox, useInbox } from "../../school/resources";
import { Page } from "../../shell/page";
import { Icon } from "../../ui/icon";
import { Loaded } from "../../ui/loaded";
import { Notice } from "../../ui/notice";
import { useAction } from "../../ui/use_action";

const texts = inLanguage({
  en: {
    title: "From school",
    none: "The school has sent no messages.",
    noSubject: "No subject",
    unread: "Unread",
    files: "With files",
    more: "Show more",
    note: "What you read here stays unread on the school's own page.",
  },
  sv: {
    title: "Från skolan",
    none: "Skolan har inte skickat några meddelanden.",
    noSubject: "Inget ämne",
    unread: "Oläst",
    files: "Med filer",
    more: "Visa fler",
    note: "Det du läser här är fortfarande oläst på skolans egen sida.",
  },
});

type Listed = Schemas["ListedMessage"];
type Inbox = Schemas["Inbox"];

export default function InboxPage() {
  return (
    <Page title={texts.title} back="/app/more">
      <ChildChooser />
      {isChildKnown() && <Messages />}
    </Page>
  );
}

function Messages() {
  const inbox = useInbox();
  return <Loaded resource={inbox}>{(first) => <List first={first} />}</Loaded>;
}

function List({ first }: { first: Inbox }) {
  const [later, setLater] = useState<Inbox[]>([]);
  const { isRunning, error, run } = useAction();
  useEffect(() => setLater([]), [first]);
  const next = (later.at(-1) ?? first).next;
  const messages = [first, ...later].flatMap((page) => page.messages);
  const readMore = (cursor: string) => run(async () => setLater([...later, await readInbox(cursor)]));
  if (messages.length === 0) return <p class="empty">{texts.none}</p>;
  return (
    <>
      <p class="quiet">{texts.note}</p>
      <ul class="stack">
        {messages.map((message) => (
          <li key={message.id}>
            <MessageCard message={message} />
          </li>
        ))}
      </ul>
      {error && <Notice kind="error">{error.message}</Notice>}
      {next && (
        <button type="button" class="button-quiet" disabled={isRunning} onClick={() => void readMore(next)}>
          {texts.more}
        </button>
      )}
    </>
  );
}

function MessageCard({ message }: { message: Listed }) {
  return (
    <a class="card article-card" href={`/app/inbox/${message.id}`}>
      {message.unread && <span class="tag">{texts.unread}</span>}
      <strong dir="auto">{message.subject || texts.noSubject}</strong>
      {message.preview && <span dir="auto">{message.preview}</span>}
      <span class="quiet">
        {message.from.name}
        {message.date && <span>{dateOfMessage(message.date)}</span>}
        {message.hasAttachments && (
          <>
            <Icon name="attach" /> {texts.files}
          </>
        )}
      </span>
    </a>
  );
}
