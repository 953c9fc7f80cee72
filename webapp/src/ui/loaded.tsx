import type { ComponentChildren } from "preact";
import { inLanguage } from "../lib/language";
import { whenOf } from "../lib/school_time";
import type { Resource } from "../lib/use_resource";
import { Notice } from "./notice";

const texts = inLanguage({
  en: {
    loading: "Loading …",
    retry: "Try again",
    copied: (when: string) => `What you see was saved ${when}.`,
    stale: (when: string) => `The school's system does not answer. What you see is from ${when}.`,
  },
  sv: {
    loading: "Laddar …",
    retry: "Försök igen",
    copied: (when: string) => `Det du ser sparades ${when}.`,
    stale: (when: string) => `Skolans system svarar inte. Det du ser är från ${when}.`,
  },
});

interface Props<Data> {
  resource: Resource<Data>;
  children: (data: Data) => ComponentChildren;
  /** Without the notice about age, where another part of the page has it. */
  brief?: boolean;
}

/** Shows data when it is there; until then that it is loading, or why it is not. */
export function Loaded<Data>({ resource, children, brief = false }: Props<Data>) {
  const { data, error, copiedAt, reload } = resource;
  const retry = () => void reload();
  if (data === undefined) {
    if (!error) return <Loading />;
    return (
      <Notice kind="error" onRetry={error.isTemporary ? retry : undefined} retry={texts.retry}>
        {error.message}
      </Notice>
    );
  }
  const staleSince = staleSinceOf(data);
  return (
    <>
      {!brief && error && copiedAt !== undefined && (
        <Notice kind="warning" onRetry={retry} retry={texts.retry}>
          {error.message} {texts.copied(whenOf(copiedAt, Date.now()))}
        </Notice>
      )}
      {!brief && !error && staleSince !== undefined && (
        <Notice kind="warning" onRetry={retry} retry={texts.retry}>
          {texts.stale(whenOf(staleSince, Date.now()))}
        </Notice>
      )}
      {children(data)}
    </>
  );
}

/** In place of what is on its way. */
export const Loading = () => <div class="skeleton" role="status" aria-label={texts.loading} />;

/** Answers about the school may be copies that the service kept. */
function staleSinceOf(data: unknown): number | undefined {
  const { stale, staleSince } = (data ?? {}) as { stale?: boolean; staleSince?: number };
  return stale ? staleSince : undefined;
}
