import { useState } from "preact/hooks";
import { inLanguage } from "../../lib/language";
import { faultOf } from "../../live/passphrase";
import { lineFor } from "../../live/names";
import type { Conversation, Message } from "../../live/state";
import type { Encryption } from "../../live/use_encryption";
import { ownName } from "../../session/session";
import { Field } from "../../ui/field";
import { NewPassphrase, PassphraseInput } from "./new_passphrase";

const texts = inLanguage({
  en: {
    label: "The group's passphrase",
    ask: (name: string) => `You need the group's passphrase once on this device. Ask ${name} for it, best in person.`,
    member: "a member",
    lost: "Nobody else has it, not even the school. If nobody knows it any more, make a new group.",
    wait: (name: string) => `The group has no passphrase yet. ${name} chooses it.`,
    open: "Open",
    opening: "Opening …",
    wrong: "This is not the group's passphrase.",
  },
  sv: {
    label: "Gruppens lösenfras",
    ask: (name: string) => `Du behöver gruppens lösenfras en gång på den här enheten. Fråga ${name}, helst när ni ses.`,
    member: "en medlem",
    lost: "Ingen annan har den, inte ens skolan. Om ingen kan den längre: skapa en ny grupp.",
    wait: (name: string) => `Gruppen har ingen lösenfras än. ${name} väljer den.`,
    open: "Öppna",
    opening: "Öppnar …",
    wrong: "Det är inte gruppens lösenfras.",
  },
});

interface Props {
  conversation: Conversation;
  encryption: Encryption;
  messages: Message[];
}

/** Asks for the passphrase of an encrypted group, from which this browser makes the key. */
export function Passphrase({ conversation, encryption, messages }: Props) {
  const [fault, setFault] = useState<string>();
  const [isOpening, setOpening] = useState(false);
  const admin = conversation.adminUsername;
  const isOwn = admin === ownName();
  const name = admin && !isOwn ? lineFor(admin, conversation) : texts.member;
  // Groups of before `keyCheck`: as long as nobody has written, only the admin may choose.
  // Who came later sees none of the messages before, but those were written with a passphrase.
  const isNew = !conversation.keyCheck && conversation.lastSeq === 0;
  async function open(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    const form = new FormData(event.currentTarget as HTMLFormElement);
    const [passphrase, again] = ["passphrase", "again"].map((each) => String(form.get(each) ?? "")) as [string, string];
    if (!passphrase.trim()) return;
    const found = isNew ? faultOf(passphrase, again) : undefined;
    setFault(found);
    if (found) return;
    setOpening(true);
    if (await encryption.unlock(passphrase, messages)) return;
    setOpening(false);
    setFault(texts.wrong);
  }
  if (isNew && !isOwn) return <p class="card">{texts.wait(name)}</p>;
  return (
    <form class="card form" onSubmit={(event) => void open(event)}>
      {isNew ? (
        <NewPassphrase fault={fault} />
      ) : (
        <Field label={texts.label} hint={`${texts.ask(name)} ${texts.lost}`} errors={fault ? [fault] : undefined}>
          {(attributes) => <PassphraseInput {...attributes} name="passphrase" />}
        </Field>
      )}
      <button class="button" disabled={isOpening}>
        {isOpening ? texts.opening : texts.open}
      </button>
    </form>
  );
}
