import { useState } from "preact/hooks";
import { inLanguage } from "../../lib/language";
import { changeProfile, type OwnProfile, type ProfileChange } from "../../people/use_profile";
import { Field } from "../../ui/field";
import { Notice } from "../../ui/notice";
import { useAction } from "../../ui/use_action";

const texts = inLanguage({
  en: {
    displayName: "Name that others see",
    displayNameHint: "Empty: your name at school.",
    pronouns: "Pronouns",
    bio: "About you",
    location: "Location",
    website: "Website",
    websiteHint: "Begins with https://",
    accentColor: "Your colour",
    noColor: "No colour",
    handleHint: "Your user name there, or an address.",
    save: "Save",
    saved: "Saved.",
  },
  sv: {
    displayName: "Namn som andra ser",
    displayNameHint: "Tomt: ditt namn i skolan.",
    pronouns: "Pronomen",
    bio: "Om dig",
    location: "Ort",
    website: "Webbplats",
    websiteHint: "Börjar med https://",
    accentColor: "Din färg",
    noColor: "Ingen färg",
    handleHint: "Ditt användarnamn där, eller en adress.",
    save: "Spara",
    saved: "Sparat.",
  },
});

type Handle = "github" | "instagram" | "linkedin" | "twitter";
type Name = "displayName" | "pronouns" | "bio" | "location" | "website" | Handle;

const FIELDS: { name: Name; label: string; length: number; hint?: string }[] = [
  { name: "displayName", label: texts.displayName, length: 80, hint: texts.displayNameHint },
  { name: "pronouns", label: texts.pronouns, length: 40 },
  { name: "bio", label: texts.bio, length: 500 },
  { name: "location", label: texts.location, length: 80 },
  { name: "website", label: texts.website, length: 200, hint: texts.websiteHint },
  { name: "github", label: "GitHub", length: 100, hint: texts.handleHint },
  { name: "instagram", label: "Instagram", length: 100, hint: texts.handleHint },
  { name: "linkedin", label: "LinkedIn", length: 200, hint: texts.handleHint },
  { name: "twitter", label: "X", length: 100, hint: texts.handleHint },
];
/** What the browser shows in a colour field that has no value. */
const ANY_COLOR = "#5036c8";

/** The fields of the profile; only those that were changed are sent. */
export function ProfileForm({ profile, onSaved }: { profile: OwnProfile; onSaved: (profile: OwnProfile) => void }) {
  const [change, setChange] = useState<ProfileChange>({});
  const [isSaved, setSaved] = useState(false);
  const { isRunning, error, run } = useAction();
  const set = (part: ProfileChange) => {
    setSaved(false);
    setChange({ ...change, ...part });
  };
  const save = async (event: Event) => {
    event.preventDefault();
    const wasSaved = await run(async () => onSaved(await changeProfile(change)));
    if (wasSaved) setChange({});
    setSaved(wasSaved);
  };
  return (
    <form class="form" onSubmit={(event) => void save(event)}>
      {FIELDS.map(({ name, label, length, hint }) => (
        <Field key={name} label={label} hint={hint} errors={error?.fields[name]}>
          {(attributes) => {
            const shared = {
              ...attributes,
              maxLength: length,
              value: change[name] ?? profile[name],
              onInput: (event: { currentTarget: { value: string } }) => set({ [name]: event.currentTarget.value }),
            };
            if (name === "bio") return <textarea {...shared} rows={4} />;
            return <input {...shared} type="text" autocomplete="off" />;
          }}
        </Field>
      ))}
      <ColorField value={change.accentColor ?? profile.accentColor} onChange={(accentColor) => set({ accentColor })} />
      {error && <Notice kind="error">{error.message}</Notice>}
      {isSaved && <Notice>{texts.saved}</Notice>}
      <button class="button" disabled={isRunning}>
        {texts.save}
      </button>
    </form>
  );
}

function ColorField({ value, onChange }: { value: string; onChange: (color: string) => void }) {
  return (
    <Field label={texts.accentColor} hint={value ? undefined : texts.noColor}>
      {(attributes) => (
        <div class="button-row">
          <input
            {...attributes}
            type="color"
            class="color-field"
            value={value || ANY_COLOR}
            onInput={(event) => onChange(event.currentTarget.value)}
          />
          {value && (
            <button type="button" class="button-quiet" onClick={() => onChange("")}>
              {texts.noColor}
            </button>
          )}
        </div>
      )}
    </Field>
  );
}
