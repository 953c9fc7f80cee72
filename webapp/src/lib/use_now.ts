import { useEffect, useState } from "preact/hooks";

/** The time in milliseconds since 1970, new each half minute, and when the page is shown again. */
export function useNow(): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const update = () => setNow(Date.now());
    const timer = setInterval(update, 30_000);
    document.addEventListener("visibilitychange", update);
    addEventListener("stale", update);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", update);
      removeEventListener("stale", update);
    };
  }, []);
  return now;
}
