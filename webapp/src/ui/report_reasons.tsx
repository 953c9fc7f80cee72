import { useState } from "preact/hooks";
import { api, type Schemas } from "../api/client";
import { good } from "../api/errors";
import { inLanguage } from "../lib/language";
import { Notice } from "./notice";
import { useAction } from "./use_action";

const texts = inLanguage({
  en: {
    reasons: { bullying: "Bullying", threat: "A threat", sexual: "Something sexual", spam: "Spam", other: "Something else" },
    disclosed: "The message is encrypted. With your report, staff get a readable copy of it.",
    sent: "Thank you. Your report was sent.",
  },
  sv: {
    reasons: { bullying: "Mobbning", threat: "Ett hot", sexual: "Något sexuellt", spam: "Skräp", other: "Något annat" },
    disclosed: "Meddelandet är krypterat. Med din anmälan får personalen en läsbar kopia av det.",
    sent: "Tack. Din anmälan är skickad.",
  },
});

type Reason = Schemas["ReasonEnum"];
const REASONS: Reason[] = ["bullying", "threat", "sexual", "spam", "other"];
export type Reported = Pick<Schemas["ReportRequestRequest"], "type" | "id" | "disclosed">;

interface Props {
  reported: Reported;
  question: string;
  /** What the person wants to say besides. */
  text?: string;
  onSent?: () => void;
}

/** The reasons to report something. A tap on one of them sends the report. */
export function ReportReasons({ reported, question, text = "", onSent }: Props) {
  const [isSent, setSent] = useState(false);
  const { error, run, isRunning } = useAction();
  const send = async (reason: Reason) => {
    const body = { ...reported, reason, text: text.trim() };
    if (!(await run(() => good(api.POST("/api/reports", { body }))))) return;
    setSent(true);
    onSent?.();
  };
  if (isSent) return <Notice>{texts.sent}</Notice>;
  return (
    <fieldset class="choices">
      <legend>{question}</legend>
      {error && <Notice kind="error">{error.message}</Notice>}
      <div class="button-row">
        {REASONS.map((reason) => (
          <button key={reason} type="button" class="button-quiet" disabled={isRunning} onClick={() => void send(reason)}>
            {texts.reasons[reason]}
          </button>
        ))}
      </div>
      {reported.disclosed !== undefined && <p class="field-hint">{texts.disclosed}</p>}
    </fieldset>
  );
}
