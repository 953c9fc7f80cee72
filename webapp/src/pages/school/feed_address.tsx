import { useState } from "preact/hooks";
import { inLanguage } from "../../lib/language";
import { Field } from "../../ui/field";
import { Section } from "../../ui/section";

const texts = inLanguage({
  en: {
    address: "The address",
    secret: "Whoever has it can read the schedule. Give it only to your own calendars.",
    copy: "Copy the address",
    copied: "Copied.",
    notCopied: "The address could not be copied. Select it above and copy it yourself.",
    apple: "iPhone, iPad and Mac",
    subscribe: "Open in Calendar",
    appleHow: "Press the button, then Subscribe. You find it again under Calendars in the Calendar app.",
    google: "Android and Google Calendar",
    googleHow: [
      "Copy the address.",
      "Open calendar.google.com on a computer, or in the phone's browser as a desktop site.",
      "Choose + beside Other calendars, then From URL. Paste the address and press Add calendar.",
      "It is in the app on the phone soon after. If it is not, turn on Sync for it in the app's settings.",
      "Google reads it once or twice a day.",
    ],
    outlook: "Outlook",
    outlookHow: [
      "Copy the address.",
      "Open outlook.com in a browser, or outlook.office.com with an account of your school, and go to the calendar.",
      "Choose Add calendar, then Subscribe from web. Paste the address and press Import.",
      "It is in Outlook on the phone and the computer soon after. Outlook reads it a few times a day.",
    ],
  },
  sv: {
    address: "Adressen",
    secret: "Den som har adressen kan läsa schemat. Lägg bara in den i dina egna kalendrar.",
    copy: "Kopiera adressen",
    copied: "Kopierad.",
    notCopied: "Det gick inte att kopiera adressen. Markera den ovanför och kopiera den själv.",
    apple: "iPhone, iPad och Mac",
    subscribe: "Öppna i Kalender",
    appleHow: "Tryck på knappen och sedan på Prenumerera. Du hittar den sedan under Kalendrar i appen Kalender.",
    google: "Android och Google Kalender",
    googleHow: [
      "Kopiera adressen.",
      "Öppna calendar.google.com på en dator, eller i telefonens webbläsare som datorversion.",
      "Välj + bredvid Andra kalendrar, sedan Från webbadress. Klistra in adressen och tryck på Lägg till kalender.",
      "Strax därefter finns den i appen i telefonen. Annars: slå på Synkronisera för den i appens inställningar.",
      "Google hämtar den någon gång om dagen.",
    ],
    outlook: "Outlook",
    outlookHow: [
      "Kopiera adressen.",
      "Öppna outlook.com i en webbläsare, eller outlook.office.com med ett konto från skolan, och gå till kalendern.",
      "Välj Lägg till kalender, sedan Prenumerera från webben. Klistra in adressen och tryck på Importera.",
      "Strax därefter finns den i Outlook i telefonen och datorn. Outlook hämtar den några gånger om dagen.",
    ],
  },
});

/** The address, and how it gets into a phone. */
export function FeedAddress({ url }: { url: string }) {
  const [said, setSaid] = useState("");
  const copy = async () => {
    const isCopied = await navigator.clipboard.writeText(url).then(
      () => true,
      () => false,
    );
    setSaid(isCopied ? texts.copied : texts.notCopied);
  };
  return (
    <>
      <Field label={texts.address} hint={texts.secret}>
        {(attributes) => (
          <input {...attributes} readOnly value={url} onFocus={(event) => event.currentTarget.select()} />
        )}
      </Field>
      <button type="button" class="button" onClick={() => void copy()}>
        {texts.copy}
      </button>
      <p role="status">{said}</p>
      <Section title={texts.apple}>
        <p>{texts.appleHow}</p>
        <p>
          <a class="button-quiet" href={url.replace(/^https?:/, "webcal:")}>
            {texts.subscribe}
          </a>
        </p>
      </Section>
      <Steps title={texts.google} steps={texts.googleHow} />
      <Steps title={texts.outlook} steps={texts.outlookHow} />
    </>
  );
}

function Steps({ title, steps }: { title: string; steps: string[] }) {
  return (
    <Section title={title}>
      <ol class="steps">
        {steps.map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ol>
    </Section>
  );
}
