import { useState } from "preact/hooks";
import { inLanguage } from "../../lib/language";
import { Page } from "../../shell/page";
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

/** What the service has about the person: to take along, to erase, and what became of their reports. */
export default function Account() {
  const [isErasing, setErasing] = useState(false);
  return (
    <Page title={texts.title} back="/app/settings">
      <section class="card stack">
        <p>{texts.export}</p>
        <a class="button-quiet" href="/api/account/export" download>
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
