import { inLanguage } from "../../lib/language";
import { Field } from "../../ui/field";

const texts = inLanguage({
  en: {
    label: "Choose a passphrase",
    hint: "At least 12 characters. Tell it to the members yourself, best in person: it is not sent, and nobody can look it up.",
    again: "The passphrase again",
  },
  sv: {
    label: "Välj en lösenfras",
    hint: "Minst 12 tecken. Berätta den själv för medlemmarna, helst när ni ses: den skickas inte, och ingen kan slå upp den.",
    again: "Lösenfrasen igen",
  },
});

/** A new passphrase, typed twice: `passphrase` and `again` of the form. */
export function NewPassphrase({ fault }: { fault: string | undefined }) {
  return (
    <>
      <Field label={texts.label} hint={texts.hint} errors={fault ? [fault] : undefined}>
        {(attributes) => <PassphraseInput {...attributes} name="passphrase" />}
      </Field>
      <Field label={texts.again}>{(attributes) => <PassphraseInput {...attributes} name="again" />}</Field>
    </>
  );
}

/** Shown as it is typed: it is long, and no password manager shall keep it as the one of the account. */
export function PassphraseInput(attributes: { id: string; name: string }) {
  return <input {...attributes} type="text" autocomplete="off" autocapitalize="none" spellcheck={false} />;
}
