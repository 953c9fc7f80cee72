import { useLocation } from "preact-iso";
import { inLanguage } from "../lib/language";
import { shareInto } from "../lib/shared_text";
import { pictureOf, titleOf } from "../live/names";
import { chatList, isListKnown } from "../live/state";
import { addNote, MAX_TITLE, type RichText } from "../notes/note";
import { Page } from "../shell/page";
import { Avatar } from "../ui/avatar";
import { Icon } from "../ui/icon";
import { Loading } from "../ui/loaded";
import { Notice } from "../ui/notice";
import { Section } from "../ui/section";
import { useAction } from "../ui/use_action";

const texts = inLanguage({
  en: {
    title: "Share",
    nothing: "The other app has shared no text.",
    note: "Make a note of it",
    chats: "Put it into a chat",
    how: "It is sent when you press Send there.",
    none: "No chats yet.",
  },
  sv: {
    title: "Dela",
    nothing: "Den andra appen delade ingen text.",
    note: "Gör en anteckning",
    chats: "Lägg i en chatt",
    how: "Det skickas när du trycker på Skicka där.",
    none: "Inga chattar än.",
  },
});

/** Longer than any message: who shares more sees there that it is too much. */
const LONGEST = 10_000;

/** What the phone's share sheet sends to the app (`share_target` of the manifest), as text. */
export default function Share() {
  const { route, query } = useLocation();
  const parts = [query["title"], query["text"], query["url"]].map((each) => (each ?? "").trim());
  const text = parts.filter((each, index) => each && parts.indexOf(each) === index).join("\n").slice(0, LONGEST);
  const { error, isRunning, run } = useAction();
  const makeNote = () =>
    run(async () => {
      const { id } = await addNote({ title: (parts[0] ?? "").slice(0, MAX_TITLE), content: documentOf(text) });
      route(`/app/notes/${id}`, true);
    });
  if (!text) return <Page title={texts.title}><p class="empty">{texts.nothing}</p></Page>;
  return (
    <Page title={texts.title}>
      {error && <Notice kind="error">{error.message}</Notice>}
      <p id="shared" class="card written" dir="auto">{text}</p>
      <button type="button" class="button" disabled={isRunning} onClick={() => void makeNote()}>
        <Icon name="note" /> {texts.note}
      </button>
      <Section title={texts.chats}>
        <p class="quiet">{texts.how}</p>
        {!isListKnown.value && <Loading />}
        {isListKnown.value && chatList.value.length === 0 && <p class="empty">{texts.none}</p>}
        <ul class="rows">
          {chatList.value.map(({ conversation }) => (
            <li key={conversation.id}>
              <a class="row" href={`/app/chats/${conversation.id}`} onClick={() => shareInto(conversation.id, text)}>
                <Avatar name={titleOf(conversation)} picture={pictureOf(conversation)} />
                <span class="row-main row-title">{titleOf(conversation)}</span>
                <Icon name="forward" />
              </a>
            </li>
          ))}
        </ul>
      </Section>
    </Page>
  );
}

const documentOf = (text: string): RichText => ({
  type: "doc",
  content: text.split("\n").map((line) => ({ type: "paragraph", content: line ? [{ type: "text", text: line }] : [] })),
});
