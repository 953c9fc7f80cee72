import { useEffect, useState } from "preact/hooks";
import { api, type Schemas } from "../api/client";
import { good } from "../api/errors";
import { inLanguage } from "../lib/language";
import { nameSearch } from "../lib/name_search";
import { whenOf } from "../lib/school_time";
import { useNow } from "../lib/use_now";
import { useSearchText } from "../shell/use_search_text";
import { senderLine, titleOf } from "../live/names";
import { readEncrypted, SEARCHED_MESSAGES, type Readable } from "../live/search_encrypted";
import { chatList } from "../live/state";
import { readHere } from "../school/resources";
import { Page } from "../shell/page";
import { Field } from "../ui/field";
import { Icon } from "../ui/icon";
import { Notice } from "../ui/notice";
import { useAction } from "../ui/use_action";

const texts = inLanguage({
  en: {
    title: "Search",
    label: "Search in what is yours",
    hint: "Chats and notes; news, messages from school and assignments that you have opened here.",
    fromService: "Chats and notes",
    fromHere: "Opened on this device",
    none: "Nothing was found.",
    more: "Show more",
    encrypted: "Encrypted chats",
    bound: (count: number) => `On this device: the last ${count} messages of each group that it can open.`,
  },
  sv: {
    title: "Sök",
    label: "Sök i det som är ditt",
    hint: "Chattar och anteckningar; nyheter, meddelanden från skolan och uppgifter som du har öppnat här.",
    fromService: "Chattar och anteckningar",
    fromHere: "Öppnat på den här enheten",
    none: "Inget hittades.",
    more: "Visa fler",
    encrypted: "Krypterade chattar",
    bound: (count: number) => `På den här enheten: de senaste ${count} meddelandena i varje grupp som den kan öppna.`,
  },
});

const SHOWN_HERE = 20;
const EXCERPT = 160;

type Result = Schemas["SearchResult"];

const pathOf = ({ id, conversationId, seq }: Result): string =>
  conversationId ? `/app/chats/${conversationId}?at=${seq}` : `/app/notes/${id}`;

type Here = Awaited<ReturnType<typeof readHere>>;

/** One field for everything of one's own: the service looks in chats and notes, the device in what it keeps. */
export default function SearchPage() {
  const { text, setText, wanted } = useSearchText();
  return (
    <Page title={texts.title} back="/app/more">
      <search class="stack">
        <Field label={texts.label} hint={texts.hint}>
          {(attributes) => (
            <input
              {...attributes}
              type="text"
              inputMode="search"
              enterkeyhint="search"
              autocomplete="off"
              maxLength={100}
              value={text}
              onInput={(event) => setText(event.currentTarget.value)}
            />
          )}
        </Field>
        {wanted && (
          <div class="stack" aria-live="polite">
            <FromService key={wanted} query={wanted} />
            <FromEncrypted query={wanted} />
            <FromHere query={wanted} />
          </div>
        )}
      </search>
    </Page>
  );
}

function FromService({ query }: { query: string }) {
  const now = useNow();
  const [page, setPage] = useState<{ results: Result[]; next: string | null }>();
  const { isRunning, error, run } = useAction();
  const read = (cursor?: string) =>
    run(async () => {
      const asked = { params: { query: cursor ? { q: query, cursor } : { q: query } } };
      const { results, next } = await good(api.GET("/api/search", asked));
      setPage((before) => ({ results: [...(before?.results ?? []), ...results], next }));
    });
  useEffect(() => void read(), []);
  return (
    <section class="stack" aria-labelledby="from-service">
      <h2 id="from-service">{texts.fromService}</h2>
      {error && <Notice kind="error">{error.message}</Notice>}
      {page?.results.length === 0 && <p class="empty">{texts.none}</p>}
      {!!page?.results.length && (
        <ul class="rows">
          {page.results.map((each) => (
            <li key={each.id}>
              <a class="row" href={pathOf(each)}>
                <Icon name={each.conversationId ? "chat" : "note"} />
                <span class="row-main" dir="auto">
                  <span class="row-title">{each.title}</span>
                  <span class="row-text">{each.excerpt}</span>
                </span>
                <time class="small quiet" dateTime={new Date(each.at).toISOString()}>
                  {whenOf(each.at, now)}
                </time>
              </a>
            </li>
          ))}
        </ul>
      )}
      {page?.next && (
        <button type="button" class="button-quiet" disabled={isRunning} onClick={() => void read(page.next ?? undefined)}>
          {texts.more}
        </button>
      )}
    </section>
  );
}

/** Messages that only this device can read: nothing of the search leaves it. */
function FromEncrypted({ query }: { query: string }) {
  const now = useNow();
  const groups = chatList.value.filter(({ conversation }) => conversation.encrypted);
  const known = groups.map(({ conversation }) => `${conversation.id} ${conversation.revision}`).join();
  const [readable, setReadable] = useState<Readable[]>();
  useEffect(() => void readEncrypted().then(setReadable), [known]);
  if (groups.length === 0) return null;
  const matches = nameSearch(query);
  const found = readable?.filter(({ text }) => matches(text)).slice(0, SHOWN_HERE);
  return (
    <section class="stack" aria-labelledby="from-encrypted">
      <h2 id="from-encrypted">{texts.encrypted}</h2>
      <p class="small quiet">{texts.bound(SEARCHED_MESSAGES)}</p>
      {found?.length === 0 && <p class="empty">{texts.none}</p>}
      {!!found?.length && (
        <ul class="rows">
          {found.map(({ chat, message, text }) => (
            <li key={message.id}>
              <a class="row" href={`/app/chats/${chat.conversation.id}?at=${message.seq}`}>
                <Icon name="lock" />
                <span class="row-main" dir="auto">
                  <span class="row-title">{titleOf(chat.conversation)}</span>
                  <span class="row-text">
                    {senderLine(message, chat.conversation)}: {text.length > EXCERPT ? `${text.slice(0, EXCERPT)}…` : text}
                  </span>
                </span>
                <time class="small quiet" dateTime={new Date(message.createdAt).toISOString()}>
                  {whenOf(message.createdAt, now)}
                </time>
              </a>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function FromHere({ query }: { query: string }) {
  const [kept, setKept] = useState<Here>();
  useEffect(() => void readHere().then(setKept), []);
  const matches = nameSearch(query);
  const found = kept?.filter(({ title, text }) => matches(`${title} ${text}`)).slice(0, SHOWN_HERE) ?? [];
  if (found.length === 0) return null;
  return (
    <section class="stack" aria-labelledby="from-here">
      <h2 id="from-here">{texts.fromHere}</h2>
      <ul class="rows">
        {found.map(({ path, title, text }) => (
          <li key={path}>
            <a class="row" href={path}>
              <Icon name={path.startsWith("/app/assignments") ? "book" : "news"} />
              <span class="row-main" dir="auto">
                <span class="row-title">{title}</span>
                <span class="row-text">{text.length > EXCERPT ? `${text.slice(0, EXCERPT)}…` : text}</span>
              </span>
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}
