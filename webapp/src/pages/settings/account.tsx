import { useState } from "preact/hooks";
import { api } from "../../api/client";
import { good } from "../../api/errors";
import { inLanguage } from "../../lib/language";
import { Page } from "../../shell/page";
import { Notice } from "../../ui/notice";
import { useAction } from "../../ui/use_action";
import { EraseDialog } from "./erase_dialog";
import { OwnReports } from "./own_reports";

const texts = inLanguage({
  en: {
    title: "Your data",
    export: "Everything the service has about you, as a ZIP file.",
    download: "Download your data",
    erase: "Erase your account",
    eraseAbout:
      "Your profile, notes, friends and settings are erased, and your messages lose their text. " +
      "This cannot be undone. Your account at school stays.",
    eraseButton: "Erase my account",
  },
  sv: {
    title: "Dina uppgifter",
    export: "Allt som tjänsten har om dig, som en ZIP-fil.",
    download: "Hämta dina uppgifter",
    erase: "Radera ditt konto",
    eraseAbout:
      "Din profil, dina anteckningar, vänner och inställningar raderas, och dina meddelanden töms. " +
      "Det går inte att ångra. Ditt konto i skolan finns kvar.",
    eraseButton: "Radera mitt konto",
  },
});

const EXPORT = "/api/account/export";

/** What the service has about the person: to take along, to erase, and what became of their reports. */
export default function Account() {
  const [isErasing, setErasing] = useState(false);
  const { error, run } = useAction();
  // The browser fetches the file, with cookies that may be somebody else's by now: asked before.
  const download = (event: MouseEvent) => {
    event.preventDefault();
    void run(async () => {
      await good(api.GET("/api/profile"));
      location.assign(EXPORT);
    });
  };
  return (
    <Page title={texts.title} back="/app/settings">
      <section class="card stack">
        <p>{texts.export}</p>
        {error && <Notice kind="error">{error.message}</Notice>}
        <a class="button-quiet" href={EXPORT} download onClick={download}>
          {texts.download}
        </a>
      </section>
      <OwnReports />
      <section class="card stack">
        <h2>{texts.erase}</h2>
        <p>{texts.eraseAbout}</p>
        <button type="button" class="button-danger" onClick={() => setErasing(true)}>
          {texts.eraseButton}
        </button>
      </section>
      {isErasing && <EraseDialog onClose={() => setErasing(false)} />}
    </Page>
  );
}
