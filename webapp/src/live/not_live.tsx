import { inLanguage } from "../lib/language";
import { useOnline } from "../lib/use_online";
import { isLive } from "./state";

const texts = inLanguage({
  en: { notLive: "Not live: what is new can take 20 seconds." },
  sv: { notLive: "Inte live: det som är nytt kan dröja 20 sekunder." },
});

/** Says that new messages do not come at once. The element is always there, so that it is read aloud. */
export function NotLive() {
  const isOnline = useOnline(); // without a connection, the page says that
  return (
    <p class="not-live small" role="status">
      {isLive.value || !isOnline ? null : texts.notLive}
    </p>
  );
}
