import { useState } from "preact/hooks";
import { inLanguage } from "../../lib/language";
import type { Message } from "../../live/state";
import type { Encryption } from "../../live/use_encryption";
import { Field } from "../../ui/field";

const texts = inLanguage({
  en: {
    label: "The group's passphrase",
    first: "You are the first. Choose a passphrase of at least 12 characters, and tell it to the members yourself.",
    hint: "Ask a member for it. It stays on this device; nobody else can read the messages, not even the school.",
    open: "Open",
    opening: "Opening …",
    short: "At least 12 characters.",
    wrong: "The messages cannot be read with this passphrase.",
  },
  sv: {
    label: "Gruppens lösenfras",
    first: "Du är först. Välj en lösenfras med minst 12 tecken och berätta den själv för medlemmarna.",
    hint: "Fråga en medlem. Den stannar på den här enheten; ingen annan kan läsa meddelandena, inte ens skolan.",
    open: "Öppna",
    opening: "Öppnar …",
    short: "Minst 12 tecken.",
    wrong: "Meddelandena går inte att läsa med den lösenfrasen.",
  },
});

const SHORTEST = 12;

/** Asks for the passphrase of an encrypted group, from which this browser makes the key. */
export function Passphrase({ encryption, messages }: { encryption: Encryption; messages: Message[] }) {
  const [errors, setErrors] = useState<string[]>();
  const [isOpening, setOpening] = useState(false);
  async function open(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    const passphrase = String(new FormData(event.currentTarget as HTMLFormElement).get("passphrase") ?? "");
    // An old group may have a shorter one; a new one shall not.
    if (messages.length === 0 && passphrase.trim().length < SHORTEST) return setErrors([texts.short]);
    if (!passphrase.trim()) return;
    setOpening(true);
    if (await encryption.unlock(passphrase, messages)) return;
    setOpening(false);
    setErrors([texts.wrong]);
  }
  return (
    <form class="card form" onSubmit={(event) => void open(event)}>
      <Field label={texts.label} hint={messages.length === 0 ? texts.first : texts.hint} errors={errors}>
        {(attributes) => <input {...attributes} name="passphrase" type="text" autocomplete="off" autocapitalize="none" spellcheck={false} />}
      </Field>
      <button class="button" disabled={isOpening}>
        {isOpening ? texts.opening : texts.open}
      </button>
    </form>
  );
}
