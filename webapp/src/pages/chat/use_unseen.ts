import type { RefObject } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { Message } from "../../live/state";
import { ownName } from "../../session/session";

/** So far from its end, the list counts as read to the end. */
const NEAR = 80;

interface Unseen {
  count: number;
  /** Goes to the first of them. */
  show: () => void;
}

/** The messages of others that arrived below what is in view. While somebody reads further up, nothing moves. */
export function useUnseen(area: RefObject<HTMLElement | null>, messages: Message[]): Unseen {
  const last = messages.at(-1)?.seq ?? 0;
  const [seen, setSeen] = useState(last);
  const isAtEnd = useRef(true);
  const lastSeq = useRef(last);
  // The first row in view, and where it was.
  const held = useRef<{ row: Element; top: number } | undefined>(undefined);
  lastSeq.current = last;

  const look = () => {
    const element = area.current;
    if (!element) return;
    // The list is reversed: its end is at 0, and what is above has a negative place.
    isAtEnd.current = -element.scrollTop < NEAR;
    if (isAtEnd.current) setSeen(lastSeq.current);
    const top = element.getBoundingClientRect().top;
    const row = [...element.querySelectorAll("[data-seq]")].find((each) => each.getBoundingClientRect().bottom > top);
    held.current = row && { row, top: row.getBoundingClientRect().top };
  };

  useEffect(() => {
    const element = area.current;
    element?.addEventListener("scroll", look, { passive: true });
    return () => element?.removeEventListener("scroll", look);
  }, []);

  useLayoutEffect(() => {
    const element = area.current;
    const newest = messages.at(-1);
    if (!element || !newest) return;
    if (!isAtEnd.current && newest.senderUsername === ownName() && newest.seq > seen) element.scrollTop = 0;
    else if (isAtEnd.current) setSeen(last);
    else if (held.current?.row.isConnected) {
      element.scrollTop += held.current.row.getBoundingClientRect().top - held.current.top;
    }
  }, [last]);

  const unseen = messages.filter(
    ({ seq, senderUsername, deletedAt }) => seq > seen && senderUsername !== ownName() && deletedAt === null,
  );
  const show = () => {
    const row = area.current?.querySelector<HTMLElement>(`[data-seq="${unseen[0]?.seq}"]`);
    row?.focus({ preventScroll: true });
    // Not slowly: a message that arrived on the way would end it there.
    row?.scrollIntoView({ block: "start" });
    setSeen(last);
    look();
  };
  return { count: unseen.length, show };
}
