import { useState } from "preact/hooks";
import { api } from "../api/client";
import { good } from "../api/errors";
import { inLanguage } from "../lib/language";
import { Icon } from "../ui/icon";
import { Notice } from "../ui/notice";
import { ReportDialog } from "../ui/report_dialog";
import { useAction } from "../ui/use_action";
import { ConfirmButton } from "./confirm_button";

const texts = inLanguage({
  en: {
    report: "Report",
    block: "Block",
    ask: (name: string) => `Block ${name}? You will not see each other, and cannot write to each other.`,
    sure: "Yes, block",
  },
  sv: {
    report: "Anmäl",
    block: "Blockera",
    ask: (name: string) => `Blockera ${name}? Ni ser inte varandra längre och kan inte skriva till varandra.`,
    sure: "Ja, blockera",
  },
});

interface Props {
  username: string;
  name: string;
  onBlocked: () => void;
}

/** Blocking and reporting somebody, each within two taps. */
export function SafetyButtons({ username, name, onBlocked }: Props) {
  const { isRunning, error, run } = useAction();
  const [isReporting, setReporting] = useState(false);
  const block = async () => {
    if (await run(() => good(api.POST("/api/blocks", { body: { targetUsername: username } })))) onBlocked();
  };
  return (
    <div class="stack">
      <div class="button-row safety-buttons">
        <ConfirmButton
          label={texts.block}
          question={texts.ask(name)}
          confirm={texts.sure}
          disabled={isRunning}
          onConfirm={() => void block()}
        />
        <button type="button" class="button-quiet" onClick={() => setReporting(true)}>
          <Icon name="flag" />
          {texts.report}
        </button>
      </div>
      {error && <Notice kind="error">{error.message}</Notice>}
      {isReporting && <ReportDialog reported={{ type: "profile", id: username }} onClose={() => setReporting(false)} />}
    </div>
  );
}
