import { inLanguage } from "../lib/language";
import { useOnline } from "../lib/use_online";

const texts = inLanguage({
  en: { offline: "You are offline. What you write is kept and sent later." },
  sv: { offline: "Du är offline. Det du skriver sparas och skickas senare." },
});

/** Says that the device has no connection. The element is always there, so that it is read aloud. */
export function OfflineBar() {
  return (
    <div class="offline-bar" role="status">
      {useOnline() ? null : texts.offline}
    </div>
  );
}
