/**
 * The way back: a page is shown again as it was left, and its arrow leads to the page before.
 *
 * It is in the memory of the page, which starts again for another person (`session.ts`).
 * Browsers without the Navigation API begin at the top, and follow the arrow to the page above.
 */

import { useState } from "preact/hooks";

interface Place {
  top: number;
  /** The address of the link that had the focus. */
  link: string | null;
}

/** As long as a list may take to arrive, in milliseconds. */
const PATIENCE = 5000;

/** What the app needs of the Navigation API, which TypeScript does not know yet. */
interface Navigation extends EventTarget {
  readonly currentEntry: NavigationHistoryEntry | null;
  entries(): NavigationHistoryEntry[];
}

const { navigation } = window as { navigation?: Navigation };
/** Where pages were left, by entry of the history. */
const places = new Map<string, Place>();
/** What was chosen there, by entry and name. */
const choices = new Map<string, unknown>();
let comingBack = new AbortController();

navigation?.addEventListener("navigate", (event) => {
  const { navigationType } = event as Event & { navigationType: NavigationType };
  comingBack.abort();
  const entry = navigation.currentEntry?.key;
  if (entry === undefined || navigationType === "reload") return;
  if (navigationType === "replace") places.delete(entry);
  else places.set(entry, { top: scrollY, link: document.activeElement?.closest("main a")?.getAttribute("href") ?? null });
});

/** Shows a page where it was left, as soon as it is long enough; a page that is new from its top. */
export function showFromPlace(): void {
  const place = places.get(navigation?.currentEntry?.key ?? "");
  if (!place) return scrollTo(0, 0);
  comingBack = new AbortController();
  const { signal } = comingBack;
  const grown = new ResizeObserver(() => isAt(place) && comingBack.abort());
  signal.addEventListener("abort", () => grown.disconnect());
  for (const own of ["wheel", "touchstart", "pointerdown", "keydown"]) addEventListener(own, () => comingBack.abort(), { signal });
  setTimeout(() => grown.disconnect(), PATIENCE);
  grown.observe(document.body);
}

function isAt({ top, link }: Place): boolean {
  scrollTo(0, top);
  const left = link && document.querySelector<HTMLElement>(`main a[href="${CSS.escape(link)}"]`);
  if (left) left.focus({ preventScroll: true });
  return Math.abs(scrollY - top) < 2 && (!link || !!left);
}

/** A state that is kept for somebody who comes back: a filter, a text that is searched for. */
export function useKeptState<Value>(name: string, initial: Value): [Value, (value: Value) => void] {
  const [key] = useState(() => `${navigation?.currentEntry?.key} ${name}`);
  const [value, setValue] = useState(() => (choices.has(key) ? (choices.get(key) as Value) : initial));
  const set = (next: Value) => {
    if (navigation) choices.set(key, next);
    setValue(next);
  };
  return [value, set];
}

/** The arrow: to the page before, if the app showed it in this window; else where the link leads. */
export function goBack(event: MouseEvent): void {
  const before = navigation?.entries()[(navigation.currentEntry?.index ?? 0) - 1];
  if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey || !before?.sameDocument || !before.url) return;
  if (new URL(before.url).pathname === location.pathname) return;
  event.preventDefault();
  event.stopPropagation(); // the router follows links
  history.back();
}
