/** What there is to do for school: for oneself, or for all of a guardian's children. */

import { api, type Schemas } from "../api/client";
import { good, Refused } from "../api/errors";
import { addDays, dayOf, mondayOf, weekOf, type Day } from "../lib/school_time";
import { useResource } from "../lib/use_resource";
import { children, isGuardian, type Child } from "./child";
import { aboutAssignment } from "./assignment_list";

export interface Todo {
  kind: "missing" | "week" | "exam";
  child: Child | null;
  /** Of the assignment; null where it cannot be opened. */
  id: string | null;
  title: string;
  about: string;
  /** As the school sends it: a day, or a day and a time. */
  when: string | null;
  done: boolean;
}

/** What the school did not let be read, and of whom. */
export interface Unread {
  kind: Todo["kind"];
  child: Child | null;
}

interface Todos {
  todos: Todo[];
  /** Not in copies of before. */
  unread?: Unread[];
  stale?: boolean;
  staleSince?: number;
}

const EXAM_DAYS = 21;

export function useTodos() {
  const today = dayOf(Date.now());
  const whose = isGuardian() ? children() : [null];
  const key = whose.map((child) => child?.id ?? "own").join("-");
  return useResource(`todo-${key}`, async (): Promise<Todos> => {
    const found = await Promise.all(whose.map((child) => readTodos(child, today)));
    const todos = found.flatMap((each) => each.todos);
    const since = found.flatMap((each) => each.staleSince);
    return {
      todos: todos.sort((one, other) => (one.when ?? "").localeCompare(other.when ?? "")),
      unread: found.flatMap((each) => each.unread),
      // As old as the oldest answer that the service kept.
      ...(since.length > 0 ? { stale: true, staleSince: Math.min(...since) } : {}),
    };
  });
}

/** Ticks it off at the service, or takes that back. */
export async function setDone({ id, child }: Todo, done: boolean): Promise<void> {
  const query = child ? { child: child.id } : {};
  await good(api.PUT("/api/assignments/{number}/done", { params: { path: { number: id ?? "" }, query }, body: { done } }));
}

interface Found {
  todos: Todo[];
  unread: Unread[];
  staleSince: number[];
}

async function readTodos(child: Child | null, today: Day): Promise<Found> {
  const query = child ? { child: child.id } : {};
  const to = addDays(today, EXAM_DAYS - 1);
  const [missing, week, exams] = await Promise.all([
    orRefused(good(api.GET("/api/missing", { params: { query } }))),
    orRefused(good(api.GET("/api/assignments/week", { params: { query: { ...query, ...weekOf(today) } } }))),
    orRefused(good(api.GET("/api/exams", { params: { query: { ...query, from: today, to } } }))),
  ]);
  const missed = (missing?.missing ?? []).map((row): Todo => fromMissing(row, child));
  const rows = (week?.data ?? []).filter(({ submission }) => submission !== "submitted");
  const late = rows
    .filter(({ submission }) => submission === "late")
    .map((row): Todo => ({ ...fromWeek(row, child), kind: "missing" }))
    .filter(({ id }) => !missed.some((each) => each.id === id));
  const tests = (exams?.exams ?? []).filter((row) => row.kind === "exam").map((row): Todo => fromExam(row, child));
  const known = new Set([...missed, ...late, ...tests].map((row) => row.id));
  const sunday = addDays(mondayOf(today), 6);
  const due = rows
    .map((row): Todo => fromWeek(row, child))
    .filter(({ id, when }) => !known.has(id) && when !== null && when.slice(0, 10) >= today && when.slice(0, 10) <= sunday);
  const staleSince = [missing, week, exams].flatMap((each) => (each?.stale && each.staleSince ? [each.staleSince] : []));
  const unread = Object.entries({ missing, week, exam: exams })
    .filter(([, answer]) => answer === undefined)
    .map(([kind]): Unread => ({ kind: kind as Todo["kind"], child }));
  return { todos: [...missed, ...late, ...due, ...tests], unread, staleSince };
}

/** Nothing where the school does not let it be read; the rest can be shown all the same. */
async function orRefused<Data>(answer: Promise<Data>): Promise<Data | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof Refused && (error.status === 403 || error.status === 404)) return undefined;
    throw error;
  }
}

function fromMissing(row: Schemas["MissingAssignment"], child: Child | null): Todo {
  const about = [row.type, row.subject].filter(Boolean).join(" · ");
  return { kind: "missing", child, id: row.assignmentId, title: row.title, about, when: row.dueAt, done: row.done === true };
}

function fromWeek(row: Schemas["WeekAssignment"], child: Child | null): Todo {
  const id = row.id === undefined || row.id === null ? null : String(row.id);
  const when = typeof row.sortDate === "string" && row.sortDate ? row.sortDate : null;
  const about = aboutAssignment(row.subTitle);
  return { kind: "week", child, id, title: row.title ?? "", about, when, done: row.done === true };
}

function fromExam(row: Schemas["Exam"], child: Child | null): Todo {
  const about = row.subject ?? "";
  return { kind: "exam", child, id: row.id, title: row.title, about, when: row.start, done: row.done === true };
}
