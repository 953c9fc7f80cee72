import { inLanguage } from "../lib/language";
import type { NoteSaving, SavingState } from "./saving";

const texts = inLanguage({
  en: {
    saved: "Saved",
    saving: "Saving …",
    offline: "Not saved yet: no connection; kept on this device",
    kept: "Not saved yet; kept on this device.",
    onPage: "Not saved yet. Don't close this page.",
    waiting: "Not saved yet; kept on this device until you choose.",
  },
  sv: {
    saved: "Sparad",
    saving: "Sparar …",
    offline: "Inte sparad än: ingen anslutning; finns kvar på den här enheten",
    kept: "Inte sparad än; finns kvar på den här enheten.",
    onPage: "Inte sparad än. Stäng inte sidan.",
    waiting: "Inte sparad än; finns kvar på den här enheten tills du väljer.",
  },
});

/** Whether the note is saved: quiet as long as it is, read aloud when it is not. */
export function SavingStatus({ saving }: { saving: NoteSaving }) {
  const state = saving.state.value;
  const isFine = state.kind === "saved" || state.kind === "saving";
  const look = isFine ? "quiet" : "saving-trouble";
  return (
    <p class={`saving-status small ${look}`} role="status" aria-live={isFine ? "off" : "polite"}>
      {sentenceOf(state)}
    </p>
  );
}

function sentenceOf(state: SavingState): string {
  if (state.kind === "saved" || state.kind === "saving") return texts[state.kind];
  if (state.kind === "conflict") return texts.waiting;
  if (state.kind === "refused") return `${state.error.message} ${texts.kept}`;
  if (!state.isOnDevice) return `${state.error.message} ${texts.onPage}`;
  return state.error.status === 0 ? texts.offline : `${state.error.message} ${texts.kept}`;
}
