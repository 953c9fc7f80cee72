import { api } from "../../api/client";
import { good } from "../../api/errors";
import { inLanguage } from "../../lib/language";
import { whenOf } from "../../lib/school_time";
import { useNow } from "../../lib/use_now";
import { useResource } from "../../lib/use_resource";
import { Page } from "../../shell/page";
import { Loaded } from "../../ui/loaded";
import { Notice } from "../../ui/notice";
import { useAction } from "../../ui/use_action";

const texts = inLanguage({
  en: {
    title: "Devices",
    about: "Here you are signed in. If you do not know one of them, end it, and change your password at school.",
    unknown: "Unknown device",
    current: "This device",
    since: (when: string) => `Signed in: ${when}`,
    used: (when: string) => `Last used: ${when}`,
    end: "End",
    endOthers: "End all others",
  },
  sv: {
    title: "Enheter",
    about: "Här är du inloggad. Känner du inte igen någon av dem: avsluta den, och byt ditt lösenord i skolan.",
    unknown: "Okänd enhet",
    current: "Den här enheten",
    since: (when: string) => `Inloggad: ${when}`,
    used: (when: string) => `Använd senast: ${when}`,
    end: "Avsluta",
    endOthers: "Avsluta alla andra",
  },
});

/** Everywhere that the account is signed in. */
export default function Sessions() {
  const resource = useResource("sessions", async () => (await good(api.GET("/api/sessions"))).sessions);
  const { isRunning, error, run } = useAction();
  const now = useNow();
  const end = (session_id: string) =>
    run(async () => {
      await good(api.DELETE("/api/sessions/{session_id}", { params: { path: { session_id } } }));
      await resource.reload();
    });
  const endOthers = () =>
    run(async () => {
      await good(api.DELETE("/api/sessions"));
      await resource.reload();
    });
  return (
    <Page title={texts.title} back="/app/settings">
      <p class="quiet">{texts.about}</p>
      {error && <Notice kind="error">{error.message}</Notice>}
      <Loaded resource={resource}>
        {(sessions) => (
          <div class="stack">
            <ul class="rows">
              {sessions.map(({ id, current, device, createdAt, lastUsedAt }) => (
                <li key={id} class="row">
                  <div class="row-main session">
                    <p class="row-title" id={`session-${id}`}>
                      {device || texts.unknown}
                    </p>
                    <p class="quiet small">{texts.since(whenOf(createdAt, now))}</p>
                    <p class="quiet small">{texts.used(whenOf(lastUsedAt, now))}</p>
                  </div>
                  {current ? (
                    <span class="tag tag-good">{texts.current}</span>
                  ) : (
                    <button
                      type="button"
                      class="button-quiet"
                      disabled={isRunning}
                      aria-describedby={`session-${id}`}
                      onClick={() => void end(id)}
                    >
                      {texts.end}
                    </button>
                  )}
                </li>
              ))}
            </ul>
            {sessions.some((each) => !each.current) && (
              <button type="button" class="button-danger" disabled={isRunning} onClick={() => void endOthers()}>
                {texts.endOthers}
              </button>
            )}
          </div>
        )}
      </Loaded>
    </Page>
  );
}
