import { useEffect, useState } from "preact/hooks";
import { inLanguage } from "../lib/language";

const texts = inLanguage({
  en: { offline: "You are offline. What you write is kept and sent later." },
  sv: { offline: "Du är offline. Det du skriver sparas och skickas senare." },
});

/** Says that the device has no connection. The element is always there, so that it is read aloud. */
export function OfflineBar() {
  const [isOnline, setOnline] = useState(navigator.onLine);
  useEffect(() => {
    const update = () => setOnline(navigator.onLine);
    addEventListener("online", update);
    addEventListener("offline", update);
    return () => {
      removeEventListener("online", update);
      removeEventListener("offline", update);
    };
  }, []);
  return (
    <div class="offline-bar" role="status">
      {isOnline ? null : texts.offline}
    </div>
  );
}
