import { useEffect, useState } from "preact/hooks";
import { api, type Schemas } from "../api/client";
import { good } from "../api/errors";
import { OF_DEVICE } from "../device/store";
import { changeLanguage, inLanguage, language } from "../lib/language";
import { useResource } from "../lib/use_resource";
import { signOut } from "../session/owed";
import { KINDS, leaveForSchool, loginError, type Kind } from "../session/school_page";
import { ended, EXPIRED, signIn } from "../session/session";
import { Combobox } from "../ui/combobox";
import { Field } from "../ui/field";
import { Notice } from "../ui/notice";
import { useAction } from "../ui/use_action";
import { KindField, LoginErrorNotice } from "./sign_in_kind";

const texts = inLanguage({
  en: {
    title: "Sign in",
    intro: "Your school day and your friends, in one app.",
    school: "School",
    schoolHint: "Type the first letters.",
    noSchool: "No school has that name.",
    username: "Username",
    password: "Password",
    hint: "The same as in the school's own system.",
    submit: "Sign in",
    submitting: "Signing in …",
    expired: "You have to sign in again. What you have written is still here.",
    ended: "You have been signed out. This device has forgotten everything that it kept of you.",
    waiting:
      "You are signed out on this device, which has forgotten everything that it kept of you. " +
      "There is no connection now: your session ends as soon as there is one.",
    done: "You are signed out, and your session has ended.",
    atSchool: "Sign in at the school's own page",
    leaving: "Opening the school's page …",
    atSchoolHint: "With BankID, for example. You come back here afterwards.",
    or: "or",
    elsewhere: "At this school, you cannot sign in to this app yet.",
    missing: "Fill this in.",
    other: "På svenska",
    contact: "Contact",
    statistics: "Statistics",
    developers: "For developers",
  },
  sv: {
    title: "Logga in",
    intro: "Skoldagen och kompisarna, i en app.",
    school: "Skola",
    schoolHint: "Skriv de första bokstäverna.",
    noSchool: "Ingen skola heter så.",
    username: "Användarnamn",
    password: "Lösenord",
    hint: "Samma som i skolans eget system.",
    submit: "Logga in",
    submitting: "Loggar in …",
    expired: "Du behöver logga in igen. Det du har skrivit finns kvar.",
    ended: "Du har blivit utloggad. Enheten har glömt allt som den hade sparat om dig.",
    waiting:
      "Du är utloggad på den här enheten, och den har glömt allt som den hade sparat om dig. " +
      "Just nu finns ingen anslutning: din session avslutas så snart det går.",
    done: "Du är utloggad och din session är avslutad.",
    atSchool: "Logga in på skolans egen sida",
    leaving: "Öppnar skolans sida …",
    atSchoolHint: "Med till exempel BankID. Du kommer tillbaka hit efteråt.",
    or: "eller",
    elsewhere: "På den här skolan kan du inte logga in i appen än.",
    missing: "Fyll i det här.",
    other: "In English",
    contact: "Kontakt",
    statistics: "Statistik",
    developers: "För utvecklare",
  },
});

type Errors = Record<string, string[]>;

export function SignIn() {
  const schools = useResource(`${OF_DEVICE}schools`, () => good(api.GET("/api/schools")));
  const [school, setSchool] = useState(localStorage.getItem("school") ?? "");
  const [kind, setKind] = useState(rememberedKind);
  const [missing, setMissing] = useState<Errors>({});
  const { isRunning, error, run } = useAction();
  const leaving = useAction();
  const all = schools.data?.schools ?? [];
  const onlySchool = all.length === 1 ? all[0] : undefined;
  const chosen = all.find((each) => each.id === school) ?? onlySchool;
  const methods = useMethods(chosen?.id, kind);
  const password = methods?.password ?? chosen?.passwordLogin !== false;
  const redirect = methods?.redirect ?? false;
  useEffect(() => {
    document.title = texts.title;
  }, []);

  async function submit(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    const form = new FormData(event.currentTarget as HTMLFormElement);
    const credentials = {
      username: String(form.get("username") ?? "").trim(),
      password: String(form.get("password") ?? ""),
      school: chosen?.id ?? "",
    };
    const empty = Object.entries(credentials).filter(([, value]) => !value);
    setMissing(Object.fromEntries(empty.map(([name]) => [name, [texts.missing]])));
    if (empty.length > 0) return;
    localStorage.setItem("school", credentials.school);
    await run(() => signIn(credentials));
  }
  const choose = (chosenKind: Kind) => {
    localStorage.setItem("kind", chosenKind);
    setKind(chosenKind);
  };
  const leave = () => {
    const at = chosen?.id ?? "";
    localStorage.setItem("school", at);
    localStorage.setItem("kind", kind);
    return leaving.run(() => leaveForSchool(at, kind));
  };
  const errors: Errors = { ...error?.fields, ...missing };
  return (
    <main class="sign-in">
      <div class="sign-in-card">
        <img src="/app/icon.svg" alt="" width="64" height="64" />
        <h1>{texts.title}</h1>
        <p class="quiet">{texts.intro}</p>
        <Reason />
        {schools.error && !schools.data && <Notice kind="error">{schools.error.message}</Notice>}
        {loginError && <LoginErrorNotice error={loginError} />}
        {error && Object.keys(error.fields).length === 0 && <Notice kind="error">{error.message}</Notice>}
        {leaving.error && <Notice kind="error">{leaving.error.message}</Notice>}
        {methods && !password && !redirect && <Notice kind="warning">{texts.elsewhere}</Notice>}
        <form class="form" noValidate onSubmit={(event) => void submit(event)}>
          <SchoolField schools={all} chosen={chosen} onChoose={setSchool} errors={errors["school"]} />
          <KindField kind={kind} onChoose={choose} />
          {password && (
            <>
              <Field label={texts.username} errors={errors["username"]} hint={texts.hint}>
                {(attributes) => (
                  <input {...attributes} name="username" autocomplete="username" autocapitalize="none" spellcheck={false} />
                )}
              </Field>
              <Field label={texts.password} errors={errors["password"]}>
                {(attributes) => <input {...attributes} name="password" type="password" autocomplete="current-password" />}
              </Field>
              <button class="button" disabled={isRunning}>
                {isRunning ? texts.submitting : texts.submit}
              </button>
            </>
          )}
        </form>
        {redirect && (
          <div class="at-school">
            {password && <p class="quiet">{texts.or}</p>}
            <button type="button" class={password ? "button-quiet" : "button"} disabled={leaving.isRunning} onClick={() => void leave()}>
              {leaving.isRunning ? texts.leaving : texts.atSchool}
            </button>
            <p class="quiet small">{texts.atSchoolHint}</p>
          </div>
        )}
        <button type="button" class="button-quiet" lang={language === "sv" ? "en" : "sv"} onClick={() => changeLanguage(language === "sv" ? "en" : "sv")}>
          {texts.other}
        </button>
        <p class="sign-in-links small">
          <a class="link-alone" href="/stats">{texts.statistics}</a> <a class="link-alone" href="/api/docs">{texts.developers}</a>
        </p>
      </div>
    </main>
  );
}

const rememberedKind = (): Kind => KINDS.find((each) => each === localStorage.getItem("kind")) ?? "student";

/** How these people sign in to the school; nothing while that is not known. */
function useMethods(school: string | undefined, kind: Kind): Schemas["MethodsAnswer"] | undefined {
  const [methods, setMethods] = useState<Schemas["MethodsAnswer"]>();
  useEffect(() => {
    if (!school) return;
    // Without an answer the form stays, which says what is wrong.
    const asked = good(api.GET("/api/v2/methods", { params: { query: { school, kind } } }));
    asked.then(setMethods).catch(() => undefined);
  }, [school, kind]);
  return methods?.school === school && methods?.kind === kind ? methods : undefined;
}

/** Why somebody who was signed in has to sign in again. */
function Reason() {
  const reason = ended.value;
  const ending = signOut.value;
  if (ending) return <Notice kind={ending === "waiting" ? "warning" : "info"}>{texts[ending]}</Notice>;
  if (reason === null) return null;
  if (reason.status === 401) return <Notice>{reason.code === EXPIRED ? texts.expired : texts.ended}</Notice>;
  const contact = (reason.body as { contact?: string } | undefined)?.contact;
  return (
    <Notice kind="error">
      {reason.message} {contact && `${texts.contact}: ${contact}`}
    </Notice>
  );
}

interface SchoolProps {
  schools: Schemas["School"][];
  chosen: Schemas["School"] | undefined;
  onChoose: (id: string) => void;
  errors: string[] | undefined;
}

function SchoolField({ schools, chosen, onChoose, errors }: SchoolProps) {
  return (
    <Field label={texts.school} hint={texts.schoolHint} errors={errors}>
      {(attributes) => (
        <Combobox
          id={attributes.id}
          choices={schools}
          value={chosen?.id ?? ""}
          onChoose={onChoose}
          nothing={texts.noSchool}
          invalid={attributes["aria-invalid"]}
          describedBy={attributes["aria-describedby"]}
        />
      )}
    </Field>
  );
}
