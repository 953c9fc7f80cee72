import type { RefObject } from "preact";
import { useEffect, useRef } from "preact/hooks";

const SWIPE = 60;

/** Calls `step` with 1 for the next and -1 for the one before: for a swipe over the element, and for arrow keys. */
export function useSteps<Area extends HTMLElement>(step: (by: 1 | -1) => void): RefObject<Area | null> {
  const element = useRef<Area>(null);
  const latest = useRef(step);
  latest.current = step;
  useEffect(() => {
    const area = element.current;
    let begun: Touch | undefined;
    const begin = ({ touches }: TouchEvent) => {
      begun = touches.length === 1 ? touches[0] : undefined;
    };
    const end = ({ changedTouches }: TouchEvent) => {
      const ended = changedTouches[0];
      if (!begun || !ended) return;
      const [x, y] = [ended.clientX - begun.clientX, ended.clientY - begun.clientY];
      if (Math.abs(x) >= SWIPE && Math.abs(x) > 2 * Math.abs(y)) latest.current(x < 0 ? 1 : -1);
    };
    const press = (event: KeyboardEvent) => {
      if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey || isTaken(event.target)) return;
      if (event.key === "ArrowRight") latest.current(1);
      if (event.key === "ArrowLeft") latest.current(-1);
    };
    area?.addEventListener("touchstart", begin, { passive: true });
    area?.addEventListener("touchend", end, { passive: true });
    document.addEventListener("keydown", press);
    return () => {
      area?.removeEventListener("touchstart", begin);
      area?.removeEventListener("touchend", end);
      document.removeEventListener("keydown", press);
    };
  }, []);
  return element;
}

/** Whether arrow keys mean something else here. */
const isTaken = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest("input, textarea, select, dialog, [contenteditable], [role=combobox]") !== null;
