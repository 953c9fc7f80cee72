import { inLanguage } from "../lib/language";
import { KINDS, type Kind, type LoginError } from "../session/school_page";
import { Notice } from "../ui/notice";

const texts = inLanguage({
  en: {
    who: "Who are you?",
    student: "Pupil",
    guardian: "Guardian",
    staff: "Staff",
    cancelled: "You are not signed in: you went back before it was done.",
    expired: "That took more than ten minutes, or began in another browser. Begin again here.",
    wrong_kind: "The school does not know you as what you had chosen. Choose who you are, and try again.",
    refused:
      "The school's system did not let you in. Guardians first have to allow apps, under “Min profil” on the school's own pages. " +
      "If it goes on, ask your school.",
    suspended: "This account is suspended. Contact the people who run this service.",
    try_again: "The school's system did not answer as it should. Try again in a moment.",
  },
  sv: {
    who: "Vem är du?",
    student: "Elev",
    guardian: "Vårdnadshavare",
    staff: "Personal",
    cancelled: "Du är inte inloggad: du gick tillbaka innan det var klart.",
    expired: "Det tog mer än tio minuter, eller började i en annan webbläsare. Börja om här.",
    wrong_kind: "Skolan känner inte till dig som det du hade valt. Välj vem du är och försök igen.",
    refused:
      "Skolans system släppte inte in dig. Vårdnadshavare måste först tillåta appar, under ”Min profil” på skolans egna sidor. " +
      "Fråga skolan om det fortsätter.",
    suspended: "Kontot är avstängt. Kontakta dem som sköter tjänsten.",
    try_again: "Skolans system svarade inte som det skulle. Försök igen om en stund.",
  },
});

interface Props {
  kind: Kind;
  onChoose: (kind: Kind) => void;
}

/** Who signs in: each kind has ways of its own. */
export function KindField({ kind, onChoose }: Props) {
  return (
    <fieldset class="kinds">
      <legend>{texts.who}</legend>
      {KINDS.map((each) => (
        <label key={each} class="choice">
          <input type="radio" name="kind" value={each} checked={each === kind} onChange={() => onChoose(each)} />
          {texts[each]}
        </label>
      ))}
    </fieldset>
  );
}

/** Why the way through the school's own page did not sign anybody in. */
export function LoginErrorNotice({ error }: { error: LoginError }) {
  return <Notice kind={error === "cancelled" ? "info" : "error"}>{texts[error]}</Notice>;
}
