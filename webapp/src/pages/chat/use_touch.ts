import type { RefObject } from "preact";
import { useEffect, useRef } from "preact/hooks";

const PRESS = 500;
/** So far a finger may move while it presses. */
const STILL = 10;
const SWIPE = 56;
/** From here a phone's own gesture goes back. */
const EDGE = 24;

interface Gestures {
  /** A message was pressed for a while. */
  onPress: (seq: number) => void;
  /** A message was swiped towards the end of the line. */
  onSwipe: (seq: number) => void;
}

interface Begun {
  row: HTMLElement;
  line: HTMLElement | null;
  x: number;
  y: number;
  timer: ReturnType<typeof setTimeout>;
  state: "waiting" | "swiping" | "pressed";
}

/** Gestures of a finger on the messages of a list. The mouse and the keyboard have their own ways; scrolling is left alone. */
export function useTouch(list: RefObject<HTMLElement | null>, gestures: Gestures): void {
  const latest = useRef(gestures);
  latest.current = gestures;
  useEffect(() => {
    const area = list.current;
    if (!area) return;
    let begun: Begun | undefined;
    let forward = 1;

    const leave = () => {
      clearTimeout(begun?.timer);
      if (begun?.line) begun.line.style.transform = "";
      begun = undefined;
    };
    const begin = (event: TouchEvent) => {
      leave();
      forward = getComputedStyle(area).direction === "rtl" ? -1 : 1;
      const [touch] = event.touches;
      const target = event.target instanceof Element ? event.target : null;
      const row = target?.closest<HTMLElement>("[data-seq]");
      // Links and buttons have gestures of their own.
      if (!touch || event.touches.length > 1 || !row || target?.closest("a, button, summary")) return;
      const timer = setTimeout(() => {
        if (begun?.state !== "waiting") return;
        begun.state = "pressed";
        latest.current.onPress(seqOf(row));
      }, PRESS);
      begun = { row, line: row.querySelector(".bubble-line"), x: touch.clientX, y: touch.clientY, timer, state: "waiting" };
    };
    const move = ({ touches: [touch] }: TouchEvent) => {
      if (!begun || !touch || begun.state === "pressed") return;
      const x = (touch.clientX - begun.x) * forward;
      const y = touch.clientY - begun.y;
      if (begun.state === "waiting") {
        if (Math.hypot(x, y) <= STILL) return;
        if (x < 2 * Math.abs(y) || begun.x < EDGE || begun.x > innerWidth - EDGE) return leave();
        clearTimeout(begun.timer);
        begun.state = "swiping";
      }
      if (begun.line && !matchMedia("(prefers-reduced-motion: reduce)").matches) {
        begun.line.style.transform = `translateX(${Math.max(0, Math.min(x, SWIPE + STILL)) * forward}px)`;
      }
    };
    const end = (event: TouchEvent) => {
      const [touch] = event.changedTouches;
      const done = begun;
      leave();
      if (!done || !touch) return;
      // The click that would follow belongs to what the press has opened.
      if (done.state === "pressed") event.preventDefault();
      if (done.state === "swiping" && (touch.clientX - done.x) * forward >= SWIPE) latest.current.onSwipe(seqOf(done.row));
    };
    // A long press opens the message's menu instead of the browser's.
    const noMenu = (event: Event) => begun && event.preventDefault();
    area.addEventListener("touchstart", begin, { passive: true });
    area.addEventListener("touchmove", move, { passive: true });
    area.addEventListener("touchend", end);
    area.addEventListener("touchcancel", leave);
    area.addEventListener("contextmenu", noMenu);
    return () => {
      leave();
      area.removeEventListener("touchstart", begin);
      area.removeEventListener("touchmove", move);
      area.removeEventListener("touchend", end);
      area.removeEventListener("touchcancel", leave);
      area.removeEventListener("contextmenu", noMenu);
    };
  }, []);
}

const seqOf = (row: HTMLElement): number => Number(row.dataset["seq"]);
