import { inLanguage } from "../../lib/language";
import { whenOf } from "../../lib/school_time";
import { endSubscription, type Subscription } from "../../notifications/push";
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
  },
  sv: {
    title: "Andra enheter med push",
    unknown: "En enhet",
    used: (when: string) => `Senaste push: ${when}`,
    unused: "Ingen push än",
    failing: "Går inte att nå",
    remove: "Ta bort",
  },
});

/** The person's other devices that receive pushes. Nothing when there are none. */
export function PushDevices({ others, reload }: { others: Subscription[]; reload: () => Promise<void> }) {
  const { isRunning, error, run } = useAction();
  if (others.length === 0) return null;
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
      </ul>
    </div>
  );
}
