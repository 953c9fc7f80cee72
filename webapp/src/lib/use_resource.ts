/**
 * Data of the API for a component: the kept copy first, then what the service says now, and says again
 * when what is shown may be old (`waking.ts`).
 */

import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { Refused } from "../api/errors";
import { keepCopy, readCopy } from "../device/store";

export interface Resource<Data> {
  data: Data | undefined;
  /** When the shown data was read, if it is a copy that could not be refreshed. */
  copiedAt: number | undefined;
  error: Refused | undefined;
  reload: () => Promise<void>;
  /** Shows other data, such as the answer of a change, and keeps it. */
  replace: (data: Data) => void;
}

/** Whether there is something to show for each: data, or why there is none. */
export const areSettled = (...resources: Pick<Resource<unknown>, "data" | "error">[]): boolean =>
  resources.every(({ data, error }) => data !== undefined || error !== undefined);

type State<Data> = Pick<Resource<Data>, "data" | "copiedAt" | "error">;

/** `key` names the copy and the data: with another key, other data is read; with null, none. */
export function useResource<Data>(key: string | null, read: () => Promise<Data>): Resource<Data> {
  const [state, setState] = useState<State<Data> & { key: string | null }>({ ...NOTHING, key });
  const reader = useRef(read);
  reader.current = read;
  const wanted = useRef(key);
  wanted.current = key;

  const replaced = useRef(0);
  const asks = useRef(0);
  const newestShown = useRef(0);

  const reload = useCallback(async () => {
    if (key === null) return;
    const before = replaced.current;
    const number = (asks.current += 1);
    // An answer that was asked for before a change would take the change back, and so would one that
    // was asked for before another that has come already.
    const isCurrent = () => replaced.current === before && number > newestShown.current;
    const isWanted = () => wanted.current === key && isCurrent();
    const asked = reader.current();
    // The copy is shown while the service is asked, and stays when it does not answer.
    void readCopy<Data>(key).then((copy) => {
      if (copy && isWanted()) setState((now) => (now.key === key && now.data ? now : { ...fromCopy(copy), key }));
    });
    try {
      const data = await asked;
      if (!isCurrent()) return;
      newestShown.current = number;
      if (wanted.current === key) setState({ data, copiedAt: undefined, error: undefined, key });
      await keepCopy(key, data);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      const copy = error.isTemporary ? await readCopy<Data>(key) : undefined;
      if (isWanted()) setState({ ...(copy ? fromCopy(copy) : NOTHING), error, key });
    }
  }, [key]);

  useEffect(() => {
    void reload();
    const again = () => void reload();
    addEventListener("stale", again);
    return () => removeEventListener("stale", again);
  }, [reload]);

  const replace = useCallback(
    (data: Data) => {
      replaced.current += 1;
      setState({ data, copiedAt: undefined, error: undefined, key });
      if (key !== null) void keepCopy(key, data);
    },
    [key],
  );
  const shown = state.key === key ? state : NOTHING;
  return { data: shown.data, copiedAt: shown.error && shown.copiedAt, error: shown.error, reload, replace };
}

const NOTHING = { data: undefined, copiedAt: undefined, error: undefined };

const fromCopy = <Data,>({ at, data }: { at: number; data: Data }): State<Data> => ({
  data,
  copiedAt: at,
  error: undefined,
});
