import { useState } from "preact/hooks";
import { api } from "../../api/client";
import { good } from "../../api/errors";
import { inLanguage } from "../../lib/language";
import { leaveForGood } from "../../session/session";
import { Dialog } from "../../ui/dialog";
import { Field } from "../../ui/field";
import { Notice } from "../../ui/notice";
import { useAction } from "../../ui/use_action";

const texts = inLanguage({
  en: {
    title: "Erase your account?",
    password: "Your password at school",
    hint: "Leave it empty if you sign in at the school's own page: sign in there anew first.",
    word: "erase",
    type: (word: string) => `Write “${word}” to show that you mean it`,
    mistyped: (word: string) => `Write the word “${word}” here.`,
    erase: "Erase everything",
  },
  sv: {
    title: "Radera ditt konto?",
    password: "Ditt lösenord i skolan",
    hint: "Lämna tomt om du loggar in på skolans egen sida: logga då in där på nytt först.",
    word: "radera",
    type: (word: string) => `Skriv ”${word}” för att visa att du menar det`,
    mistyped: (word: string) => `Skriv ordet ”${word}” här.`,
    erase: "Radera allt",
  },
});

/** Erases the account: asks for the password, and for a word that nobody writes by mistake. */
export function EraseDialog({ onClose }: { onClose: () => void }) {
  const [password, setPassword] = useState("");
  const [word, setWord] = useState("");
  const [isMistyped, setMistyped] = useState(false);
  const { isRunning, error, run } = useAction();
  const wrong = error?.code === "wrong_password" ? [error.message] : error?.fields["password"];
  const erase = async (event: Event) => {
    event.preventDefault();
    const isMeant = word.trim().toLowerCase() === texts.word;
    setMistyped(!isMeant);
    if (!isMeant || !(await run(() => good(api.DELETE("/api/account", { body: password ? { password } : {} }))))) return;
    await leaveForGood();
  };
  return (
    <Dialog title={texts.title} onClose={onClose}>
      <form class="form" onSubmit={(event) => void erase(event)}>
        {error && !wrong && <Notice kind="error">{error.message}</Notice>}
        <Field label={texts.password} hint={texts.hint} errors={wrong}>
          {(attributes) => (
            <input
              {...attributes}
              type="password"
              autofocus
              autocomplete="current-password"
              value={password}
              onInput={(event) => setPassword(event.currentTarget.value)}
            />
          )}
        </Field>
        <Field label={texts.type(texts.word)} errors={isMistyped ? [texts.mistyped(texts.word)] : undefined}>
          {(attributes) => (
            <input
              {...attributes}
              type="text"
              autocomplete="off"
              autocapitalize="none"
              spellcheck={false}
              required
              value={word}
              onInput={(event) => setWord(event.currentTarget.value)}
            />
          )}
        </Field>
        <button class="button-danger" disabled={isRunning}>
          {texts.erase}
        </button>
      </form>
    </Dialog>
  );
}
