import { inLanguage } from "../lib/language";
import { Field } from "../ui/field";

const texts = inLanguage({
  en: { label: "Emoji", pick: "Pick one, or write another:", none: "None" },
  sv: { label: "Emoji", pick: "Välj en, eller skriv en annan:", none: "Ingen" },
});

const USUAL = ["🎉", "🎂", "🏝️", "📐", "📚", "⚽", "🎄"];

interface Props {
  value: string;
  errors?: string[] | undefined;
  onChange: (emoji: string) => void;
}

/** One emoji or none. */
export function EmojiField({ value, errors, onChange }: Props) {
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
          </div>
        </>
      )}
    </Field>
  );
}
