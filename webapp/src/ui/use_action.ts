import { useState } from "preact/hooks";
import { Refused } from "../api/errors";

export interface Action {
  isRunning: boolean;
  error: Refused | undefined;
  /** Runs it unless it runs already; tells whether it succeeded. */
  run: (work: () => Promise<unknown>) => Promise<boolean>;
}

/** A change that the person asks for: one at a time, with the sentence of the service when refused. */
export function useAction(): Action {
  const [isRunning, setRunning] = useState(false);
  const [error, setError] = useState<Refused>();
  async function run(work: () => Promise<unknown>): Promise<boolean> {
    if (isRunning) return false;
    setRunning(true);
    setError(undefined);
    try {
      await work();
      return true;
    } catch (refused) {
      if (!(refused instanceof Refused)) throw refused;
      setError(refused);
      return false;
    } finally {
      setRunning(false);
    }
  }
  return { isRunning, error, run };
}
