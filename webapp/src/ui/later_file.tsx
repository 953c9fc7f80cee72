import { useEffect, useState } from "preact/hooks";
import { inLanguage } from "../lib/language";
import { useOnline } from "../lib/use_online";
import { Notice } from "./notice";

const texts = inLanguage({
  en: { reload: "Reload" },
  sv: { reload: "Ladda om" },
});

/** Why a file is not there: the device has not kept it yet and is offline, or it did not come. */
type Failure = "offline" | "missing";

/** With a connection, one may still fail while the connection is new. */
const ATTEMPTS = 4;
const PAUSE = 2_000;

/** A large file of the app, which comes when it is needed, and is kept from then on (`__LATER__`). */
export function useLaterFile<File>(load: () => Promise<File>): { file?: File | undefined; failure?: Failure | undefined } {
  const [state, setState] = useState<{ file?: File; failure?: Failure }>({});
  const isOnline = useOnline();
  useEffect(() => {
    if (state.file) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isWanted = true;
    const attempt = (number: number) =>
      load().then(
        (file) => isWanted && setState({ file }),
        () => {
          if (!isWanted) return;
          setState({ failure: navigator.onLine ? "missing" : "offline" });
          if (navigator.onLine && number < ATTEMPTS) timer = setTimeout(attempt, PAUSE, number + 1);
        },
      );
    setState({});
    void attempt(1);
    return () => {
      isWanted = false;
      clearTimeout(timer);
    };
  }, [isOnline]);
  return state;
}

interface Props {
  failure: Failure;
  /** What is said of each. */
  offline: string;
  missing: string;
}

/** In place of such a file. When there is a connection again, it comes by itself. */
export function FileMissing({ failure, offline, missing }: Props) {
  if (failure === "offline") return <Notice kind="warning">{offline}</Notice>;
  return (
    <Notice kind="error" onRetry={() => location.reload()} retry={texts.reload}>
      {missing}
    </Notice>
  );
}
