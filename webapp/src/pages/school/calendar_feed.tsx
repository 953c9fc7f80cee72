import { useEffect, useState } from "preact/hooks";
import { api, type Schemas } from "../../api/client";
import { good, Refused } from "../../api/errors";
import { inLanguage } from "../../lib/language";
import { who } from "../../session/session";
import { currentChild } from "../../school/child";
import { ChildChooser, isChildKnown } from "../../school/child_chooser";
import { Page } from "../../shell/page";
import { ConfirmButton } from "../../people/confirm_button";
import { Field } from "../../ui/field";
import { Loading } from "../../ui/loaded";
import { Notice } from "../../ui/notice";
import { useAction } from "../../ui/use_action";
import { FeedAddress } from "./feed_address";

const texts = inLanguage({
  en: {
    title: "Calendar in your phone",
    about:
      "Your phone's own calendar can show the school's schedule. It gets a secret address, and reads it by itself from then on.",
    include: "What it shows",
    words: {
      lessons: "Lessons",
      exams: "Tests and homework",
      events: "The school's calendar",
      plannings: "Plannings",
      countdowns: "Countdowns",
    },
    name: "Name",
    nameHint: "What your calendar calls it.",
    make: "Make an address",
    retry: "Try again",
    another: { label: "New address", question: "The old address stops working at once. Every calendar needs the new one.", confirm: "Make a new address" },
    end: { label: "End the calendar", question: "The address stops working at once, in every calendar that reads it.", confirm: "End it" },
  },
  sv: {
    title: "Kalender i telefonen",
    about:
      "Telefonens egen kalender kan visa skolans schema. Den får en hemlig adress och hämtar sedan schemat av sig själv.",
    include: "Vad den visar",
    words: {
      lessons: "Lektioner",
      exams: "Prov och läxor",
      events: "Skolans kalender",
      plannings: "Planeringar",
      countdowns: "Nedräkningar",
    },
    name: "Namn",
    nameHint: "Vad din kalender kallar den.",
    make: "Skapa en adress",
    retry: "Försök igen",
    another: { label: "Ny adress", question: "Den gamla adressen slutar fungera genast. Alla kalendrar behöver den nya.", confirm: "Skapa en ny adress" },
    end: { label: "Avsluta kalendern", question: "Adressen slutar fungera genast, i alla kalendrar som hämtar den.", confirm: "Avsluta" },
  },
});

type Word = keyof typeof texts.words;
type Feed = Pick<Schemas["Feed"], "url" | "include" | "name">;
type Change = Schemas["FeedRequestRequest"];
const WORDS = Object.keys(texts.words) as Word[];
const USUAL: Word[] = ["lessons", "exams", "countdowns"];

/** Makes, shows, changes and ends the address at which a calendar program reads the schedule. */
export default function CalendarFeedPage() {
  return (
    <Page title={texts.title} back="/app/more">
      <p class="quiet">{texts.about}</p>
      <ChildChooser />
      {isChildKnown() && <OneFeed key={currentChild()?.id} child={currentChild()?.id} />}
    </Page>
  );
}

/** The address is a secret, so the device keeps no copy of it. */
function OneFeed({ child }: { child: string | undefined }) {
  const [feed, setFeed] = useState<Feed>();
  const [wanted, setWanted] = useState<Word[]>(USUAL);
  const { error, isRunning, run } = useAction();
  const params = { query: child ? { child } : {} };
  const show = (answer: Feed) => {
    setFeed(answer);
    setWanted((answer.include as Word[] | null) ?? USUAL);
  };
  const read = () => run(async () => show(await good(api.GET("/api/schedule/feed", { params }))));
  const save = (body: Change) => run(async () => show(await good(api.POST("/api/schedule/feed", { params, body }))));
  const end = () =>
    run(async () => {
      await good(api.DELETE("/api/schedule/feed", { params }));
      show({ url: null, include: null, name: null });
    });
  useEffect(() => void read(), []);
  const choose = async (include: Word[]) => {
    setWanted(include);
    if (feed?.url && !(await save({ include }))) setWanted((feed.include as Word[] | null) ?? USUAL);
  };
  const notice = error && <Refusal error={error} onRetry={feed ? undefined : () => void read()} />;
  if (!feed) return notice ?? <Loading />;
  return (
    <>
      {notice}
      <Choice wanted={wanted} disabled={isRunning} onChoose={(include) => void choose(include)} />
      {feed.url ? (
        <>
          <Field label={texts.name} hint={texts.nameHint} errors={error?.fields["name"]}>
            {(attributes) => (
              <input
                {...attributes}
                maxLength={60}
                autocomplete="off"
                dir="auto"
                defaultValue={feed.name ?? ""}
                onChange={(event) => void save({ name: event.currentTarget.value })}
              />
            )}
          </Field>
          <FeedAddress url={feed.url} />
          <ConfirmButton {...texts.another} disabled={isRunning} onConfirm={() => void save({})} />
          <ConfirmButton {...texts.end} disabled={isRunning} onConfirm={() => void end()} />
        </>
      ) : (
        <button type="button" class="button" disabled={isRunning} onClick={() => void save({ include: wanted })}>
          {texts.make}
        </button>
      )}
    </>
  );
}

function Refusal({ error, onRetry }: { error: Refused; onRetry: (() => void) | undefined }) {
  return (
    <Notice kind="error" onRetry={onRetry} retry={texts.retry}>
      {error.message}
    </Notice>
  );
}

interface ChoiceProps {
  wanted: Word[];
  disabled: boolean;
  onChoose: (include: Word[]) => void;
}

/** At least one of them stays chosen. Nobody has seen what else a teacher has. */
function Choice({ wanted, disabled, onChoose }: ChoiceProps) {
  const words = who.value?.role === "teacher" ? WORDS.filter((word) => /lessons|countdowns/.test(word)) : WORDS;
  const isLast = (word: Word) => words.filter((each) => wanted.includes(each)).join() === word;
  return (
    <fieldset class="card stack">
      <legend>{texts.include}</legend>
      {words.map((word) => (
        <label key={word} class="check">
          <input
            type="checkbox"
            checked={wanted.includes(word)}
            disabled={disabled || isLast(word)}
            onChange={(event) =>
              onChoose(event.currentTarget.checked ? [...wanted, word] : wanted.filter((each) => each !== word))
            }
          />
          {texts.words[word]}
        </label>
      ))}
    </fieldset>
  );
}
