import { inLanguage } from "../../lib/language";
import { whenOf } from "../../lib/school_time";
import { endSubscription, type EndedSubscription, type Subscription } from "../../notifications/push";
import { Notice } from "../../ui/notice";
import { useAction } from "../../ui/use_action";

const texts = inLanguage({
  en: {
    title: "Other devices with push",
    unknown: "A device",
    used: (when: string) => `Last push: ${when}`,
    unused: "No push so far",
    failing: "Cannot be reached",
    remove: "Remove",
    stopped: "Has stopped",
    again: "Open the app on that device to get pushes there again.",
  },
  sv: {
    title: "Andra enheter med push",
    unknown: "En enhet",
    used: (when: string) => `Senaste push: ${when}`,
    unused: "Ingen push än",
    failing: "Går inte att nå",
    remove: "Ta bort",
    stopped: "Har slutat fungera",
    again: "Öppna appen på den enheten för att få push där igen.",
  },
});

interface Props {
  others: Subscription[];
  ended: EndedSubscription[];
  reload: () => Promise<void>;
}

/** The person's other devices that receive pushes, or did until they stopped. Nothing when there are none. */
export function PushDevices({ others, ended, reload }: Props) {
  const { isRunning, error, run } = useAction();
  if (others.length + ended.length === 0) return null;
  return (
    <div>
      <h3 class="section-head">{texts.title}</h3>
      {error && <Notice kind="error">{error.message}</Notice>}
      <ul class="rows">
        {others.map(({ id, device, host, lastUsedAt, failing }) => (
          <li key={id} class="row">
            <div class="row-main">
              <p class="row-title" id={`push-${id}`}>
                {device || texts.unknown} {failing && <span class="tag tag-warn">{texts.failing}</span>}
              </p>
              <p class="row-text">{lastUsedAt ? texts.used(whenOf(lastUsedAt, Date.now())) : texts.unused}</p>
              <p class="row-text">{host}</p>
            </div>
            <button
              type="button"
              class="button-quiet"
              disabled={isRunning}
              aria-describedby={`push-${id}`}
              onClick={() => void run(() => endSubscription(id).then(reload))}
            >
              {texts.remove}
            </button>
          </li>
        ))}
        {ended.map(({ id, device }) => (
          <li key={id} class="row">
            <div class="row-main">
              <p class="row-title">
                {device || texts.unknown} <span class="tag tag-warn">{texts.stopped}</span>
              </p>
              <p class="row-text">{texts.again}</p>
            </div>
          </li>
        ))}
      </ul>
    </div>
  );
}
