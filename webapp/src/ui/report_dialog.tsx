import { useState } from "preact/hooks";
import { inLanguage } from "../lib/language";
import { Dialog } from "./dialog";
import { Field } from "./field";
import { ReportReasons, type Reported } from "./report_reasons";

const texts = inLanguage({
  en: {
    title: "Report",
    about: "The school's staff read your report. The person you report does not see that it was you.",
    reason: "What is it about?",
    text: "Do you want to say more?",
  },
  sv: {
    title: "Anmäl",
    about: "Skolans personal läser din anmälan. Den du anmäler får inte veta att det var du.",
    reason: "Vad gäller det?",
    text: "Vill du berätta mer?",
  },
});

/** Reports a message, a person, a group or a note: the second tap sends it. */
export function ReportDialog({ reported, onClose }: { reported: Reported; onClose: () => void }) {
  const [text, setText] = useState("");
  const [isSent, setSent] = useState(false);
  return (
    <Dialog title={texts.title} onClose={onClose}>
      {!isSent && (
        <>
          <p>{texts.about}</p>
          <Field label={texts.text}>
            {(attributes) => (
              <textarea {...attributes} rows={2} maxLength={1000} value={text} onInput={(event) => setText(event.currentTarget.value)} />
            )}
          </Field>
        </>
      )}
      <ReportReasons reported={reported} question={texts.reason} text={text} onSent={() => setSent(true)} />
    </Dialog>
  );
}
