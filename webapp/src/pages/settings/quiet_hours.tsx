import type { Schemas } from "../../api/client";
import { inLanguage } from "../../lib/language";
import type { SettingsChange } from "../../notifications/use_settings";
import { Field } from "../../ui/field";

const texts = inLanguage({
  en: {
    quiet: "Quiet hours",
    about: "Nothing is pushed in them. Afterwards, one push says how many wait.",
    from: "From",
    to: "To",
  },
  sv: {
    quiet: "Tysta timmar",
    about: "Då kommer ingen push. Efteråt säger en push hur många som väntar.",
    from: "Från",
    to: "Till",
  },
});

type Hours = Schemas["QuietHours"];
const USUAL: Hours = { from: "21:00", to: "07:00" };

interface Props {
  hours: Hours | null;
  onChange: (change: SettingsChange) => void;
}

/** The hours of the day, in Stockholm, in which nothing is pushed. */
export function QuietHours({ hours, onChange }: Props) {
  const fieldFor = (end: keyof Hours, chosen: Hours) => (
    <Field label={texts[end]}>
      {(attributes) => (
        <input
          {...attributes}
          type="time"
          required
          value={chosen[end]}
          // An emptied field is being changed still.
          onChange={({ currentTarget: { value } }) => value && onChange({ quietHours: { ...chosen, [end]: value } })}
        />
      )}
    </Field>
  );
  return (
    <div>
      <label class="check">
        <input
          type="checkbox"
          checked={hours !== null}
          aria-describedby="quiet-hours-about"
          onChange={(event) => onChange({ quietHours: event.currentTarget.checked ? USUAL : null })}
        />
        {texts.quiet}
      </label>
      <p id="quiet-hours-about" class="field-hint">
        {texts.about}
      </p>
      {hours && (
        <div class="quiet-hours">
          {fieldFor("from", hours)}
          {fieldFor("to", hours)}
        </div>
      )}
    </div>
  );
}
