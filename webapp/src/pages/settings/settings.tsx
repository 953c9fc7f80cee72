import { api } from "../../api/client";
import { good, Refused } from "../../api/errors";
import { changeLanguage, inLanguage, language, type Language } from "../../lib/language";
import { chooseTheme, chosenTheme, THEMES, type Theme } from "../../lib/theme";
import { useResource } from "../../lib/use_resource";
import { signOut, who } from "../../session/session";
import { Page } from "../../shell/page";
import { Field } from "../../ui/field";
import { Icon, type IconName } from "../../ui/icon";
import { Notice } from "../../ui/notice";
import { useAction } from "../../ui/use_action";
import { InstallHint } from "./install_hint";

const texts = inLanguage({
  en: {
    title: "Settings",
    profile: "Profile",
    privacy: "Privacy",
    notifications: "Alert settings",
    children: "Children",
    sessions: "Devices",
    blocked: "Blocked people",
    account: "Your data",
    language: "Language",
    theme: "Theme",
    system: "As the device",
    light: "Light",
    dark: "Dark",
    signOut: "Sign out",
    version: (version: string) => `Version ${version}`,
    signedIn: (name: string, school: string) => `Signed in as ${name}, ${school}`,
  },
  sv: {
    title: "Inställningar",
    profile: "Profil",
    privacy: "Integritet",
    notifications: "Inställningar för notiser",
    children: "Barn",
    sessions: "Enheter",
    blocked: "Blockerade personer",
    account: "Dina uppgifter",
    language: "Språk",
    theme: "Tema",
    system: "Som enheten",
    light: "Ljust",
    dark: "Mörkt",
    signOut: "Logga ut",
    version: (version: string) => `Version ${version}`,
    signedIn: (name: string, school: string) => `Inloggad som ${name}, ${school}`,
  },
});

/** The sections of the settings, the language, and signing out. */
export default function Settings() {
  const { isRunning, error, run } = useAction();
  const person = who.value;
  const sections: [path: string, name: string, icon: IconName][] = [
    ["profile", texts.profile, "people"],
    ["privacy", texts.privacy, "lock"],
    ["notifications", texts.notifications, "bell"],
    ["sessions", texts.sessions, "settings"],
    ["blocked", texts.blocked, "block"],
    ["account", texts.account, "archive"],
  ];
  if (person?.role === "guardian") sections.splice(3, 0, ["children", texts.children, "group"]);
  return (
    <Page title={texts.title} back="/app/more">
      {person && <p class="quiet">{texts.signedIn(person.name, person.session.organization.name)}</p>}
      <ul class="rows">
        {sections.map(([path, name, icon]) => (
          <li key={path}>
            <a class="row" href={`/app/settings/${path}`}>
              <Icon name={icon} />
              <span class="row-main">{name}</span>
              <Icon name="forward" />
            </a>
          </li>
        ))}
      </ul>
      <LanguageChoice />
      <ThemeChoice />
      <InstallHint />
      {error && <Notice kind="error">{error.message}</Notice>}
      <button type="button" class="button-quiet" disabled={isRunning} onClick={() => void run(signOut)}>
        {texts.signOut}
      </button>
      <Version />
    </Page>
  );
}

/** What to name when something is reported to the operator. */
function Version() {
  const { data } = useResource("version", async () => (await good(api.GET("/api/version"))).version);
  return data === undefined ? null : <p class="quiet">{texts.version(data)}</p>;
}

function LanguageChoice() {
  const { isRunning, run } = useAction();
  const choose = (wanted: Language) =>
    run(async () => {
      await tellService(wanted);
      changeLanguage(wanted);
    });
  return (
    <Field label={texts.language}>
      {(attributes) => (
        <select
          {...attributes}
          value={language}
          disabled={isRunning}
          onChange={(event) => void choose(event.currentTarget.value as Language)}
        >
          <option value="sv" lang="sv">
            Svenska
          </option>
          <option value="en" lang="en">
            English
          </option>
        </select>
      )}
    </Field>
  );
}

function ThemeChoice() {
  return (
    <Field label={texts.theme}>
      {(attributes) => (
        <select
          {...attributes}
          defaultValue={chosenTheme()}
          onChange={(event) => chooseTheme(event.currentTarget.value as Theme)}
        >
          {THEMES.map((each) => (
            <option key={each} value={each} selected={each === chosenTheme()}>
              {texts[each]}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

/** Pushes follow; without a connection, the language of the app changes all the same. */
async function tellService(wanted: Language): Promise<void> {
  try {
    await good(api.PATCH("/api/notifications/settings", { body: { language: wanted } }));
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
  }
}
