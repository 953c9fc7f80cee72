import { useState } from "preact/hooks";
import { EmojiDialog } from "../emoji/emoji_dialog";
import { inLanguage } from "../lib/language";
import { Field } from "../ui/field";
import { Icon } from "../ui/icon";

const texts = inLanguage({
  en: { label: "Emoji", pick: "Pick one, or write another:", none: "None", all: "All emoji" },
  sv: { label: "Emoji", pick: "Välj en, eller skriv en annan:", none: "Ingen", all: "Alla emojier" },
});

const USUAL = ["🎉", "🎂", "🏝️", "📚", "⚽", "🎄"];

interface Props {
  value: string;
  errors?: string[] | undefined;
  onChange: (emoji: string) => void;
}

/** One emoji or none. */
export function EmojiField({ value, errors, onChange }: Props) {
  const [isChoosing, setChoosing] = useState(false);
  const choose = (emoji: string) => {
    onChange(emoji);
    setChoosing(false);
  };
  return (
    <Field label={texts.label} errors={errors}>
      {(attributes) => (
        <>
          <input
            {...attributes}
            type="text"
            class="emoji-field"
            autocomplete="off"
            placeholder={texts.none}
            maxLength={32}
            value={value}
            onInput={(event) => onChange(event.currentTarget.value.trim())}
          />
          <div class="emoji-choices" role="group" aria-label={texts.pick}>
            {USUAL.map((emoji) => (
              <button
                key={emoji}
                type="button"
                class="button-icon"
                aria-pressed={emoji === value}
                onClick={() => onChange(emoji === value ? "" : emoji)}
              >
                {emoji}
              </button>
            ))}
            <button type="button" class="button-icon" aria-label={texts.all} onClick={() => setChoosing(true)}>
              <Icon name="add" />
            </button>
          </div>
          {isChoosing && (
            <EmojiDialog isChosen={(emoji) => emoji === value} onChoose={choose} onClose={() => setChoosing(false)} />
          )}
        </>
      )}
    </Field>
  );
}
