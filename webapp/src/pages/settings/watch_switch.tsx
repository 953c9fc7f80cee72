import { api } from "../../api/client";
import { good } from "../../api/errors";
import { inLanguage } from "../../lib/language";
import { whenOf } from "../../lib/school_time";
import { useResource } from "../../lib/use_resource";
import type { NotificationSettings } from "../../notifications/use_settings";
import { Loaded } from "../../ui/loaded";

const texts = inLanguage({
  en: {
    watch: "Watch the school for me",
    about:
      "The service looks for changes of the schedule, new assignments, results, news and messages from the school, also while the app is closed.",
    status: {
      ok: "It works.",
      waiting_for_school: "The school's system does not answer. The service tries again by itself.",
      sign_in_again: "Your login has ended. Sign out and in again.",
      off: "It begins when one of these kinds is in the list or pushed.",
    },
    last: (when: string) => `Last look: ${when}.`,
    next: (when: string) => `Next look: ${when}.`,
  },
  sv: {
    watch: "Håll koll på skolan åt mig",
    about: 
      "Tjänsten letar efter schemaändringar, nya uppgifter, resultat, nyheter och meddelanden från skolan, även när appen är stängd.",
    status: {
      ok: "Det fungerar.",
      waiting_for_school: "Skolans system svarar inte. Tjänsten försöker igen av sig själv.",
      sign_in_again: "Din inloggning har gått ut. Logga ut och in igen.",
      off: "Det börjar när någon av de här sorterna finns i listan eller som push.",
    },
    last: (when: string) => `Senaste titten: ${when}.`,
    next: (when: string) => `Nästa titt: ${when}.`,
  },
});

/** Whether the service looks at the school for the person, and how that goes. */
export function WatchSwitch({ isOn, change }: { isOn: boolean; change: NotificationSettings["change"] }) {
  const resource = useResource("watch", async () => (await good(api.GET("/api/watch"))).watch);
  const onChange = async (watch: boolean) => {
    await change({ watch });
    await resource.reload();
  };
  return (
    <div>
      <label class="check">
        <input
          type="checkbox"
          checked={isOn}
          aria-describedby="watch-about"
          onChange={(event) => void onChange(event.currentTarget.checked)}
        />
        {texts.watch}
      </label>
      <p id="watch-about" class="field-hint">
        {texts.about}
      </p>
      {isOn && (
        <Loaded resource={resource} brief>
          {({ status, lastLookAt, nextLookAt, children }) => (
            <div role="status" class="small">
              <p>
                {texts.status[status]} {lastLookAt && texts.last(whenOf(lastLookAt, Date.now()))}{" "}
                {nextLookAt && texts.next(whenOf(nextLookAt, Date.now()))}
              </p>
              {children.length > 1 && (
                <ul>
                  {children.map((each) => (
                    <li key={each.id}>
                      {each.name}: {texts.status[each.status]}
                    </li>
                  ))}
                </ul>
              )}
            </div>
          )}
        </Loaded>
      )}
    </div>
  );
}
