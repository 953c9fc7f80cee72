import { useRef, useState } from "preact/hooks";
import { Refused } from "../api/errors";

export interface Queue {
  error: Refused | undefined;
  /** Runs it after those that were added before; tells whether it succeeded. */
  add: (work: () => Promise<unknown>) => Promise<boolean>;
}

/** Changes that are shown at once and sent one after the other, so that a quick second one is not lost. */
export function useQueue(): Queue {
  const [error, setError] = useState<Refused>();
  const last = useRef<Promise<unknown>>(Promise.resolve());
  function add(work: () => Promise<unknown>): Promise<boolean> {
    const done = last.current.then(async () => {
      try {
        await work();
        setError(undefined);
        return true;
      } catch (refused) {
        if (!(refused instanceof Refused)) throw refused;
        setError(refused);
        return false;
      }
    });
    last.current = done;
    return done;
  }
  return { error, add };
}
