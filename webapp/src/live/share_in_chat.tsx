import { useLocation } from "preact-iso";
import { useState } from "preact/hooks";
import type { Schemas } from "../api/client";
import { inLanguage } from "../lib/language";
import { Field } from "../ui/field";
import { Notice } from "../ui/notice";
import { useAction } from "../ui/use_action";
import { titleOf } from "./names";
import { post } from "./outbox";
import { chatList } from "./state";

const texts = inLanguage({
  en: {
    chat: "In a chat",
    choose: "Choose a chat",
    send: "Send",
    sendTo: (name: string) => `Send to ${name}`,
    encrypted: "Encrypted groups cannot show it.",
  },
  sv: {
    chat: "I en chatt",
    choose: "Välj en chatt",
    send: "Skicka",
    sendTo: (name: string) => `Skicka till ${name}`,
    encrypted: "Krypterade grupper kan inte visa den.",
  },
});

interface Props {
  card: Schemas["ShareCardRequest"];
  /** What those in the chat will read. */
  about: string;
  /** Saves first, so that they read what the person sees. */
  save?: () => Promise<void>;
}

/** Sends a copy of something of one's own into a chat, when the person says to which. */
export function ShareInChat({ card, about, save }: Props) {
  const { route } = useLocation();
  const { error, isRunning, run } = useAction();
  const [chosen, setChosen] = useState("");
  const chats = chatList.value.map(({ conversation }) => conversation).filter(({ encrypted }) => !encrypted);
  const name = chats.find(({ id }) => id === chosen);
  const send = (event: SubmitEvent) => {
    event.preventDefault();
    void run(async () => {
      await save?.();
      await post(chosen, { content: "", shareCard: card });
      route(`/app/chats/${chosen}`);
    });
  };
  if (chats.length === 0) return null;
  return (
    <form class="stack" onSubmit={send}>
      {error && <Notice kind="error">{error.message}</Notice>}
      <Field label={texts.chat} hint={`${about} ${texts.encrypted}`}>
        {(attributes) => (
          <select {...attributes} value={chosen} onChange={(event) => setChosen(event.currentTarget.value)}>
            <option value="">{texts.choose}</option>
            {chats.map((each) => (
              <option key={each.id} value={each.id}>
                {titleOf(each)}
              </option>
            ))}
          </select>
        )}
      </Field>
      <button class="button-quiet" disabled={!name || isRunning}>
        {name ? texts.sendTo(titleOf(name)) : texts.send}
      </button>
    </form>
  );
}
