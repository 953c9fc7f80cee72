import { install, wayToInstall } from "../../lib/install";
import { inLanguage } from "../../lib/language";
import { Section } from "../../ui/section";

const texts = inLanguage({
  en: {
    title: "As an app",
    about: "The app can have an icon of its own among your other apps.",
    install: "Install the app",
    byHand: "Press Share in the browser, then Add to Home Screen.",
  },
  sv: {
    title: "Som en app",
    about: "Appen kan få en egen ikon bland dina andra appar.",
    install: "Installera appen",
    byHand: "Tryck på Dela i webbläsaren och sedan på Lägg till på hemskärmen.",
  },
});

/** How the app is installed, for those who have not. */
export function InstallHint() {
  const way = wayToInstall();
  if (!way) return null;
  return (
    <Section title={texts.title}>
      <div class="stack">
        <p>
          {texts.about} {way === "by-hand" && texts.byHand}
        </p>
        {way === "button" && (
          <p>
            <button type="button" class="button-quiet" onClick={install}>
              {texts.install}
            </button>
          </p>
        )}
      </div>
    </Section>
  );
}
