/**
 * Tells with the event `stale` that what is on the screen has to be read again: the page is shown again
 * after a while, the device has slept, another day has begun, or there is a connection again.
 */

import { dayOf } from "./school_time";

const LOOK_EVERY = 15_000;
const AWAY = 60_000;

export function watchForWaking(): void {
  let seen = Date.now();
  const tell = () => dispatchEvent(new Event("stale"));
  const look = () => {
    if (document.visibilityState !== "visible") return;
    const before = seen;
    seen = Date.now();
    if (seen - before > AWAY || dayOf(seen) !== dayOf(before)) tell();
  };
  setInterval(look, LOOK_EVERY);
  document.addEventListener("visibilitychange", look);
  addEventListener("pageshow", look);
  addEventListener("online", tell);
}
