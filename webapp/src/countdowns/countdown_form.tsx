import { useState } from "preact/hooks";
import { inLanguage } from "../lib/language";
import { addDays, dayOf, type Day } from "../lib/school_time";
import { Dialog } from "../ui/dialog";
import { Field } from "../ui/field";
import { Notice } from "../ui/notice";
import { useAction } from "../ui/use_action";
import { ChoiceField } from "./choice_field";
import { addCountdown, changeCountdown, type Countdown } from "./countdowns";
import { EmojiField } from "./emoji_field";

const texts = inLanguage({
  en: {
    create: "New countdown",
    edit: "Change the countdown",
    title: "Title",
    date: "Date",
    description: "Description",
    category: "What is it?",
    categories: {
      exam: "Test",
      holiday: "Holiday",
      birthday: "Birthday",
      event: "Event",
      deadline: "Deadline",
      custom: "Something else",
    },
    theme: "Colour",
    themes: { violet: "Violet", rose: "Pink", amber: "Yellow", emerald: "Green", sky: "Blue", slate: "Grey" },
    pinned: "Pinned: always first",
    save: "Save",
  },
  sv: {
    create: "Ny nedräkning",
    edit: "Ändra nedräkningen",
    title: "Rubrik",
    date: "Datum",
    description: "Beskrivning",
    category: "Vad är det?",
    categories: {
      exam: "Prov",
      holiday: "Lov",
      birthday: "Födelsedag",
      event: "Händelse",
      deadline: "Sista dag",
      custom: "Något annat",
    },
    theme: "Färg",
    themes: { violet: "Lila", rose: "Rosa", amber: "Gul", emerald: "Grön", sky: "Blå", slate: "Grå" },
    pinned: "Fäst: alltid först",
    save: "Spara",
  },
});

interface Props {
  /** The one that is changed; without it, a new one is made. */
  countdown?: Countdown | undefined;
  onClose: () => void;
  onSaved: () => Promise<void>;
}

/** A dialog that makes or changes a countdown. */
export function CountdownForm({ countdown, onClose, onSaved }: Props) {
  const storedDay = countdown && dayOf(countdown.targetDate);
  const [draft, setDraft] = useState(() => draftOf(countdown, storedDay ?? addDays(dayOf(Date.now()), 7)));
  const { isRunning, error, run } = useAction();
  const set = (change: Partial<Draft>) => setDraft({ ...draft, ...change });
  const save = async (event: Event) => {
    event.preventDefault();
    const { day, ...fields } = draft;
    // The same day again would lose a time of day that another app has set.
    const moment = day === storedDay ? {} : { targetDate: day };
    const send = () =>
      countdown ? changeCountdown(countdown.id, { ...fields, ...moment }) : addCountdown(fields, day);
    if (await run(send)) await onSaved();
  };
  return (
    <Dialog title={countdown ? texts.edit : texts.create} onClose={onClose}>
      <form class="form" onSubmit={(event) => void save(event)}>
        <Field label={texts.title} errors={error?.fields.title}>
          {(attributes) => (
            <input
              {...attributes}
              type="text"
              autofocus
              required
              maxLength={80}
              value={draft.title}
              onInput={(event) => set({ title: event.currentTarget.value })}
            />
          )}
        </Field>
        <Field label={texts.date} errors={error?.fields.targetDate}>
          {(attributes) => (
            <input
              {...attributes}
              type="date"
              required
              value={draft.day}
              onInput={(event) => set({ day: event.currentTarget.value })}
            />
          )}
        </Field>
        <EmojiField value={draft.emoji} errors={error?.fields.emoji} onChange={(emoji) => set({ emoji })} />
        <ChoiceField
          label={texts.category}
          names={texts.categories}
          value={draft.category}
          onChange={(category) => set({ category })}
        />
        <ChoiceField
          label={texts.theme}
          names={texts.themes}
          value={draft.theme}
          onChange={(theme) => set({ theme })}
        />
        <Field label={texts.description} errors={error?.fields.description}>
          {(attributes) => (
            <textarea
              {...attributes}
              rows={2}
              maxLength={500}
              value={draft.description}
              onInput={(event) => set({ description: event.currentTarget.value })}
            />
          )}
        </Field>
        <label class="check">
          <input
            type="checkbox"
            checked={draft.pinned}
            onChange={(event) => set({ pinned: event.currentTarget.checked })}
          />
          {texts.pinned}
        </label>
        {error && <Notice kind="error">{error.message}</Notice>}
        <button class="button" disabled={isRunning}>
          {texts.save}
        </button>
      </form>
    </Dialog>
  );
}

type Draft = Omit<Countdown, "id" | "targetDate" | "archived" | "createdAt" | "updatedAt"> & { day: Day };

function draftOf(countdown: Countdown | undefined, day: Day): Draft {
  const { title = "", description = "", category = "custom", theme = "violet" } = countdown ?? {};
  const { emoji = "", pinned = false } = countdown ?? {};
  return { title, description, category, theme, emoji, pinned, day };
}
