import { useEffect, useState } from "preact/hooks";
import type { Schemas } from "../../api/client";
import { inLanguage } from "../../lib/language";
import { lacksChild, NoChild } from "../../school/child_chooser";
import { childQuery, newestFirst, type Asked, type Parts, type Row } from "../../school/each_child";
import { dateOfMessage } from "../../school/message_date";
import { readInbox, useInbox } from "../../school/resources";
import { AtSchool, Missing, Searched, Whose } from "../../school/rows_of_school";
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
type Pages = Parts<Schemas["Inbox"]>;

export default function InboxPage() {
  const inbox = useInbox();
  return (
    <Page title={texts.title} back="/app/more">
      {lacksChild() ? <NoChild /> : <Loaded resource={inbox}>{(first) => <List first={first} />}</Loaded>}
      <AtSchool page="inbox" />
    </Page>
  );
}

function List({ first }: { first: Pages }) {
  const [later, setLater] = useState<Pages[]>([]);
  const { isRunning, error, run } = useAction();
  useEffect(() => setLater([]), [first]);
  const pages = [first, ...later];
  const rows = newestFirst(listsOf(pages), (message) => message.date);
  const next = nextOf(pages);
  const readMore = () => run(async () => setLater([...later, await readInbox(next)]));
  if (rows.length === 0 && first.missing.length === 0) return <p class="empty">{texts.none}</p>;
  return (
    <>
      <p class="quiet">{texts.note}</p>
      <Missing missing={pages.flatMap(({ missing }) => missing)} />
      <Searched rows={rows} wordsOf={wordsOf}>
        {(found) => (
          <ul class="stack">
            {found.map((row) => (
              <li key={row.item.id}>
                <MessageCard row={row} />
              </li>
            ))}
          </ul>
        )}
      </Searched>
      {error && <Notice kind="error">{error.message}</Notice>}
      {next.size > 0 && (
        <button type="button" class="button-quiet" disabled={isRunning} onClick={() => void readMore()}>
          {texts.more}
        </button>
      )}
    </>
  );
}

const wordsOf = ({ subject, preview, from }: Listed): string => [subject, preview, from.name].join(" ");

/** The messages of each child on all pages. */
function listsOf(pages: Pages[]): { asked: Asked; items: Listed[] }[] {
  const lists = new Map<string, { asked: Asked; items: Listed[] }>();
  for (const { asked, data } of pages.flatMap(({ parts }) => parts)) {
    const list = lists.get(asked.key) ?? { asked, items: [] };
    lists.set(asked.key, { asked, items: [...list.items, ...data.messages] });
  }
  return [...lists.values()];
}

/** Where the next page of each child begins; of those who have one. */
function nextOf(pages: Pages[]): Map<string, string> {
  const next = new Map<string, string>();
  for (const { asked, data } of pages.flatMap(({ parts }) => parts)) {
    if (data.next) next.set(asked.key, data.next);
    else next.delete(asked.key);
  }
  return next;
}

function MessageCard({ row }: { row: Row<Listed> }) {
  const message = row.item;
  return (
    <a class="card article-card" href={`/app/inbox/${message.id}${childQuery(row)}`}>
      <Whose row={row} />
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
