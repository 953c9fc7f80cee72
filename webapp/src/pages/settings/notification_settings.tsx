import { inLanguage } from "../../lib/language";
import { kindNames, KINDS } from "../../notifications/kinds";
import { useNotificationSettings, type Settings, type SettingsChange } from "../../notifications/use_settings";
import { Page } from "../../shell/page";
import { Field } from "../../ui/field";
import { Loaded } from "../../ui/loaded";
import { Notice } from "../../ui/notice";
import { PushSwitch } from "./push_switch";
import { QuietHours } from "./quiet_hours";
import { WatchSwitch } from "./watch_switch";

const texts = inLanguage({
  en: {
    title: "Alert settings",
    kinds: "What you want to know",
    off: "Off",
    list: "In the list",
    push: "Push",
    how: "How",
    preview: "Show names and text in pushes",
    previewAbout:
      "Without it, a push only says that there is something new. Encrypted chats and grades are never shown.",
    school: "The school",
  },
  sv: {
    title: "Inställningar för notiser",
    kinds: "Det du vill veta",
    off: "Av",
    list: "I listan",
    push: "Push",
    how: "Hur",
    preview: "Visa namn och text i push",
    previewAbout: "Annars säger en push bara att det finns något nytt. Krypterade chattar och betyg visas aldrig.",
    school: "Skolan",
  },
});

/** What the person is told, where, and when. Every change is saved at once. */
export default function NotificationSettings() {
  const { resource, error, change } = useNotificationSettings();
  return (
    <Page title={texts.title} back="/app/settings">
      {error && <Notice kind="error">{error.message}</Notice>}
      <PushSwitch />
      <Loaded resource={resource}>
        {({ settings }) => (
          <div class="stack">
            <section class="card stack">
              <h2>{texts.kinds}</h2>
              <Kinds kinds={settings.kinds} onChange={(wanted) => void change(wanted)} />
            </section>
            <section class="card stack">
              <h2>{texts.school}</h2>
              <WatchSwitch isOn={settings.watch} change={change} />
            </section>
            <section class="card stack">
              <h2>{texts.how}</h2>
              <QuietHours hours={settings.quietHours} onChange={(wanted) => void change(wanted)} />
              <Preview isOn={settings.preview} onChange={(wanted) => void change(wanted)} />
            </section>
          </div>
        )}
      </Loaded>
    </Page>
  );
}

interface KindsProps {
  kinds: Settings["kinds"];
  onChange: (change: SettingsChange) => void;
}

function Kinds({ kinds, onChange }: KindsProps) {
  return (
    <div class="kinds">
      {KINDS.map((kind) => (
        <Field key={kind} label={kindNames[kind]}>
          {(attributes) => (
            <select
              {...attributes}
              value={kinds[kind] ?? "list"}
              onChange={(event) => onChange({ kinds: { [kind]: event.currentTarget.value } })}
            >
              <option value="off">{texts.off}</option>
              <option value="list">{texts.list}</option>
              <option value="push">{texts.push}</option>
            </select>
          )}
        </Field>
      ))}
    </div>
  );
}

function Preview({ isOn, onChange }: { isOn: boolean; onChange: (change: SettingsChange) => void }) {
  return (
    <div>
      <label class="check">
        <input
          type="checkbox"
          checked={isOn}
          aria-describedby="preview-about"
          onChange={(event) => onChange({ preview: event.currentTarget.checked })}
        />
        {texts.preview}
      </label>
      <p id="preview-about" class="field-hint">
        {texts.previewAbout}
      </p>
    </div>
  );
}
