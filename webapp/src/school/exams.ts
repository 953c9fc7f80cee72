/** Exams, and the homework and other work that the school lists with them. */

import type { Schemas } from "../api/client";
import type { Day } from "../lib/school_time";
import type { WeekAssignment } from "./assignment_list";

export type Exam = Schemas["Exam"];

/** When it counts, as the school sends it: an exam begins then, everything else has to be ready. */
export const dateOfExam = ({ kind, start, end }: Exam): string => (kind === "exam" ? start : (end ?? start));

/** Without what is handed in: that stands among the assignments. */
export function withoutAssignments(exams: Exam[], assignments: WeekAssignment[]): Exam[] {
  const handedIn = idsOf(assignments);
  return exams.filter(({ kind, id }) => kind === "exam" || id === null || !handedIn.has(id));
}

/** Without what is an exam: that stands among the exams. */
export function withoutExams(assignments: WeekAssignment[], exams: Exam[]): WeekAssignment[] {
  const examined = idsOf(exams.filter(({ kind }) => kind === "exam"));
  return assignments.filter(({ id }) => !examined.has(String(id)));
}

/** The days of assignments that are due and not among the exams. */
export function dueBeside(exams: Exam[], assignments: WeekAssignment[]): Day[] {
  const known = idsOf(exams);
  const others = assignments.filter(({ id }) => !known.has(String(id)));
  return others.map(({ sortDate }) => String(sortDate ?? "").slice(0, 10));
}

const idsOf = (rows: { id?: unknown }[]): Set<string> => new Set(rows.map(({ id }) => String(id ?? "")));
