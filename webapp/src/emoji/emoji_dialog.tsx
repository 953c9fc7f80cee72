import { useEffect, useId, useRef, useState } from "preact/hooks";
import type { Refused } from "../api/errors";
import { moveFocus } from "../lib/arrow_keys";
import { inLanguage } from "../lib/language";
import { Dialog } from "../ui/dialog";
import { Field } from "../ui/field";
import { FileMissing, useLaterFile } from "../ui/later_file";
import { Loading } from "../ui/loaded";
import { Notice } from "../ui/notice";
import { findEmoji, keepRecent, keepTone, loadEmoji, named, readChoices, withTone, type Choices, type Emoji } from "./emoji";
import { EmojiGrid, type Part } from "./emoji_grid";
import { ToneChoice } from "./tone_choice";
import "../styles/emoji.css";

const texts = inLanguage({
  en: {
    title: "Choose an emoji",
    search: "Search",
    groups: "Groups",
    names: ["Smileys", "People", "Animals and nature", "Food and drink", "Travel and places", "Activities", "Things", "Symbols", "Flags"],
    recent: "Used last",
    results: "Search results",
    count: (count: number) => (count === 1 ? "1 emoji" : `${count} emoji`),
    none: "No emoji was found.",
    offline: "The emoji are not on this device yet. They need the network once, and work without it afterwards.",
    missing: "The emoji could not be loaded.",
  },
  sv: {
    title: "Välj en emoji",
    search: "Sök",
    groups: "Grupper",
    names: ["Smileys", "Personer", "Djur och natur", "Mat och dryck", "Resor och platser", "Aktiviteter", "Saker", "Symboler", "Flaggor"],
    recent: "Senast använda",
    results: "Sökresultat",
    count: (count: number) => (count === 1 ? "1 emoji" : `${count} emojier`),
    none: "Ingen emoji hittades.",
    offline: "Emojierna finns inte på enheten än. De behöver nätet en gång, sedan fungerar de även utan.",
    missing: "Emojierna kunde inte laddas.",
  },
});

/** What each group has on its tab. */
const TABS = ["😀", "👋", "🐻", "🍎", "🚗", "⚽", "💡", "❤️", "🏳️"];
const PEOPLE = 1;

interface Props {
  isChosen: (emoji: string) => boolean;
  error?: Refused | undefined;
  onChoose: (emoji: string) => void;
  onClose: () => void;
}

/** All emoji: by their names, or group by group after those that the person has used last. */
export function EmojiDialog({ isChosen, error, onChoose, onClose }: Props) {
  const { file: groups, failure } = useLaterFile(loadEmoji);
  const [choices, setChoices] = useState<Choices>();
  useEffect(() => void readChoices().then(setChoices), []);
  const choose = (emoji: string) => {
    void keepRecent(emoji);
    onChoose(emoji);
  };
  return (
    <Dialog title={texts.title} onClose={onClose}>
      {error && <Notice kind="error">{error.message}</Notice>}
      {failure && <FileMissing failure={failure} offline={texts.offline} missing={texts.missing} />}
      {!failure && !(groups && choices) && <Loading />}
      {groups && choices && <Picker groups={groups} choices={choices} isChosen={isChosen} onChoose={choose} />}
    </Dialog>
  );
}

interface PickerProps extends Pick<Props, "isChosen" | "onChoose"> {
  groups: Emoji[][];
  choices: Choices;
}

function Picker({ groups, choices, isChosen, onChoose }: PickerProps) {
  const [query, setQuery] = useState("");
  const [group, setGroup] = useState(0);
  const [tone, setTone] = useState(choices.tone);
  const panel = useRef<HTMLDivElement>(null);
  const id = useId();
  const isSearching = query.trim() !== "";
  const inTone = (all: Emoji[]) => all.map((emoji) => ({ emoji: withTone(emoji, tone), name: emoji.name }));
  const results = isSearching ? inTone(findEmoji(groups, query)) : [];
  const parts: Part[] = isSearching
    ? [{ name: texts.results, emoji: results }]
    : [{ name: texts.names[group] ?? "", emoji: inTone(groups[group] ?? []) }];
  const recent = named(groups, choices.recent);
  if (!isSearching && group === 0 && recent.length) parts.unshift({ name: texts.recent, emoji: recent });

  const fromField = (event: KeyboardEvent) => {
    if (event.isComposing) return;
    // A field in a form would send it.
    if (event.key === "Enter") event.preventDefault();
    if (event.key === "Enter" && results[0]) onChoose(results[0].emoji);
    if (event.key !== "ArrowDown") return;
    event.preventDefault();
    panel.current?.querySelector<HTMLElement>('[role="option"][tabindex="0"]')?.focus();
  };
  const showGroup = (chosen: number) => {
    setQuery("");
    setGroup(chosen);
  };
  const changeTone = (chosen: number) => {
    setTone(chosen);
    void keepTone(chosen);
  };
  return (
    <>
      <Field label={texts.search}>
        {(attributes) => (
          <input
            {...attributes}
            type="text"
            inputMode="search"
            enterkeyhint="search"
            autocomplete="off"
            maxLength={40}
            value={query}
            onInput={(event) => setQuery(event.currentTarget.value)}
            onKeyDown={fromField}
          />
        )}
      </Field>
      <Tabs shown={group} panel={id} isSearching={isSearching} onChoose={showGroup} />
      <div
        ref={panel}
        id={id}
        class="emoji-panel"
        {...(isSearching ? {} : { role: "tabpanel", "aria-label": texts.names[group] })}
      >
        <p role="status" class={results.length ? "visually-hidden" : "empty"} hidden={!isSearching}>
          {results.length ? texts.count(results.length) : texts.none}
        </p>
        {!isSearching && group === PEOPLE && <ToneChoice tone={tone} onChoose={changeTone} />}
        {parts[0]?.emoji.length !== 0 && (
          <EmojiGrid
            key={isSearching ? query : group}
            label={texts.title}
            parts={parts}
            isChosen={isChosen}
            onChoose={onChoose}
          />
        )}
      </div>
    </>
  );
}

interface TabsProps {
  shown: number;
  panel: string;
  isSearching: boolean;
  onChoose: (group: number) => void;
}

function Tabs({ shown, panel, isSearching, onChoose }: TabsProps) {
  const move = (event: KeyboardEvent & { currentTarget: HTMLElement }) => {
    moveFocus(event, "[role=tab]");
    const reached = [...event.currentTarget.children].indexOf(document.activeElement as Element);
    if (event.defaultPrevented && reached >= 0) onChoose(reached);
  };
  return (
    <div role="tablist" aria-label={texts.groups} class="emoji-tabs" onKeyDown={move}>
      {TABS.map((emoji, index) => (
        <button
          key={emoji}
          type="button"
          role="tab"
          class="button-icon"
          aria-label={texts.names[index]}
          title={texts.names[index]}
          aria-controls={panel}
          aria-selected={index === shown && !isSearching}
          tabIndex={index === shown ? 0 : -1}
          onClick={() => onChoose(index)}
        >
          {emoji}
        </button>
      ))}
    </div>
  );
}
