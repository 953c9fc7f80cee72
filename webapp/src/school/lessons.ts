/** What the lessons of a week mean for a reader. */

import type { Schemas } from "../api/client";
import { weekOf, type Day } from "../lib/school_time";

type Shown = Schemas["ShownLesson"];

/** A lesson in the service's plain words, with what the school says beside them. */
export interface Lesson extends Shown {
  /** "2026-11-23T08:20". */
  start: string;
  firstDay: Day;
  /** Later than `firstDay` only for events of several days. */
  lastDay: Day;
  id: string;
  name: string;
  colour: string | undefined;
  isAbsent: boolean;
}

/** The lessons of an answer that say when they are, in their order. */
export function lessonsIn({ schedule, shown }: Schemas["Schedule"]): Lesson[] {
  // A server of the version before says nothing in `shown`.
  return (shown ?? []).flatMap((each, index) => {
    const { start, firstDay, lastDay } = each;
    const sent = schedule[index];
    if (!start || !firstDay || !lastDay || !sent) return [];
    return {
      ...each,
      start,
      firstDay,
      lastDay,
      id: String(sent.eventId ?? ""),
      name: sent.name ?? "",
      colour: sent.eventColor ?? undefined,
      isAbsent: !!sent.studentLessonStatus?.absence,
    };
  });
}

/** Whether an answer is about the week of this day: the school takes no year, and shows the nearest such week. */
export const isAbout = (day: Day, { year }: { year?: number }): boolean => (year ?? weekOf(day).year) === weekOf(day).year;

/** The lessons of a day, in order; those of the whole day first. */
export function lessonsOf(day: Day, lessons: Lesson[]): Lesson[] {
  const found = lessons.filter(({ firstDay, lastDay }) => firstDay <= day && day <= lastDay);
  return [...found.filter((each) => each.allDay), ...found.filter((each) => !each.allDay)];
}

/** The first day after this one on which somebody has to be at school. */
export function schoolDayAfter(day: Day, lessons: Lesson[]): Day | undefined {
  return lessons
    .filter((each) => isAttended(each) && each.firstDay > day)
    .map(({ firstDay }) => firstDay)
    .sort()[0];
}

/** The lessons of a day in order, those with the same start and end together. */
export function slotsOf(lessons: Lesson[]): Lesson[][] {
  const slots = new Map<string, Lesson[]>();
  for (const each of lessons) {
    const slot = each.allDay ? "" : `${each.start} ${each.end}`;
    slots.set(slot, [...(slots.get(slot) ?? []), each]);
  }
  return [...slots.values()];
}

export type Progress = "past" | "now" | "later";

/** Where a lesson is, given the school's time ("2026-11-23T10:05"). */
export function progressOf(lesson: Lesson, schoolNow: string): Progress {
  if (lesson.allDay) return lesson.lastDay < schoolNow.slice(0, 10) ? "past" : "later";
  if ((lesson.end ?? lesson.start) <= schoolNow) return "past";
  return lesson.start <= schoolNow ? "now" : "later";
}

/** Whether every lesson of a day is over. */
export function isOver(lessons: Lesson[], schoolNow: string): boolean {
  return lessons.filter(isAttended).every((each) => progressOf(each, schoolNow) === "past");
}

/** Whether one has to be there. */
export const isAttended = ({ allDay, isBreak, cancelled }: Lesson): boolean => !allDay && !isBreak && !cancelled;
