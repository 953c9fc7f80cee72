/** Results: a guardian reads those of all children together. */

import { api, type Schemas } from "../api/client";
import { good, Refused } from "../api/errors";
import { useResource } from "../lib/use_resource";
import { children, isGuardian, type Child } from "./child";

export type Result = Schemas["Result"] & { child?: Child | undefined; isIncomplete: boolean };

/** What is known of one child's results, or of one's own. `next` is the cursor of what comes after. */
export interface Source {
  child?: Child | undefined;
  results: Result[];
  next: string | null;
  /** Why the results of this child could not be read, where those of another could. */
  error?: string;
  stale?: boolean | undefined;
  staleSince?: number | undefined;
}

export interface Results {
  sources: Source[];
  stale?: boolean | undefined;
  staleSince?: number | undefined;
}

export function useResults() {
  const key = isGuardian() ? children().map((child) => child.id).join("-") : "own";
  return useResource(`results-${key}`, readAll);
}

async function readAll(): Promise<Results> {
  const whose: (Child | undefined)[] = isGuardian() ? children() : [undefined];
  const answers = await Promise.allSettled(whose.map((child) => readResults(child)));
  const failures = answers.flatMap((answer) => (answer.status === "rejected" ? [answer.reason as unknown] : []));
  const unexpected = failures.find((failure) => !(failure instanceof Refused));
  if (unexpected !== undefined) throw unexpected;
  if (failures.length === answers.length && failures.length > 0) throw failures[0];
  const sources = answers.map((answer, index): Source => {
    if (answer.status === "fulfilled") return answer.value;
    return { child: whose[index], results: [], next: null, error: (answer.reason as Refused).message };
  });
  const old = sources.find((source) => source.stale);
  return old ? { sources, stale: true, staleSince: old.staleSince } : { sources };
}

/** A page of results of a child, or one's own; `cursor` is `next` of the page before. */
export async function readResults(child: Child | undefined, cursor?: string): Promise<Source> {
  const query = { ...(child && { child: child.id }), ...(cursor && { cursor }) };
  const { results, next, incomplete, stale, staleSince } = await good(api.GET("/api/results", { params: { query } }));
  return {
    child,
    results: results.map((each) => ({ ...each, child, isIncomplete: incomplete.includes(each.assignmentId) })),
    next,
    stale,
    staleSince,
  };
}
