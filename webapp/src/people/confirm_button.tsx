import { useEffect, useRef, useState } from "preact/hooks";
import { inLanguage } from "../lib/language";

const texts = inLanguage({ en: { cancel: "Cancel" }, sv: { cancel: "Avbryt" } });

interface Props {
  label: string;
  /** What happens, said before it does. */
  question: string;
  /** The button that does it. */
  confirm: string;
  onConfirm: () => void;
  disabled?: boolean;
}

/** A button whose first tap asks, and whose second tap does it. */
export function ConfirmButton({ label, question, confirm, onConfirm, disabled = false }: Props) {
  const [isAsking, setAsking] = useState(false);
  const group = useRef<HTMLDivElement>(null);
  const opener = useRef<HTMLButtonElement>(null);
  const hasAsked = useRef(false);
  useEffect(() => {
    // The button that had the focus is gone.
    if (isAsking) group.current?.querySelector("button")?.focus();
    else if (hasAsked.current) opener.current?.focus();
    hasAsked.current = isAsking;
  }, [isAsking]);
  if (!isAsking) {
    return (
      <button ref={opener} type="button" class="button-quiet" disabled={disabled} onClick={() => setAsking(true)}>
        {label}
      </button>
    );
  }
  const answer = (isSure: boolean) => {
    setAsking(false);
    if (isSure) onConfirm();
  };
  return (
    <div ref={group} class="confirm" role="group" aria-label={question}>
      <p>{question}</p>
      <div class="button-row">
        <button type="button" class="button-danger" onClick={() => answer(true)}>
          {confirm}
        </button>
        <button type="button" class="button-quiet" onClick={() => answer(false)}>
          {texts.cancel}
        </button>
      </div>
    </div>
  );
}
