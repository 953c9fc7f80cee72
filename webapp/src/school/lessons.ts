/** What the lessons of a week mean for a reader. */

import type { Schemas } from "../api/client";
import type { Day } from "../lib/school_time";

export type Lesson = Schemas["Lesson"];

export const dayOfLesson = (lesson: Lesson): Day => lesson.startDate.slice(0, 10);

/** Subjects have short names in the lesson ("Ma"), and their full one in the description. */
export const nameOfLesson = (lesson: Lesson): string => lesson.description || lesson.name || "–";

/** Breaks and duties have the status -1; they are shown smaller. */
export const isBreak = (lesson: Lesson): boolean => lesson.status === -1;

export const isAllDay = (lesson: Lesson): boolean => lesson.allDay === true;

/** The lessons of a day, in order; those of the whole day first. */
export function lessonsOf(day: Day, lessons: Lesson[]): Lesson[] {
  const found = lessons.filter((each) => dayOfLesson(each) === day);
  return [...found.filter(isAllDay), ...found.filter((each) => !isAllDay(each))];
}

/** The lessons of a day in order, those with the same start and end together. */
export function slotsOf(lessons: Lesson[]): Lesson[][] {
  const slots = new Map<string, Lesson[]>();
  for (const each of lessons) {
    const slot = isAllDay(each) ? "" : `${each.startDate} ${each.endDate}`;
    slots.set(slot, [...(slots.get(slot) ?? []), each]);
  }
  return [...slots.values()];
}

export type Progress = "past" | "now" | "later";

/** Where a lesson is, given the school's time ("2026-11-23T10:05"). */
export function progressOf(lesson: Lesson, schoolNow: string): Progress {
  if (isAllDay(lesson)) return dayOfLesson(lesson) < schoolNow.slice(0, 10) ? "past" : "later";
  if ((lesson.endDate ?? lesson.startDate) <= schoolNow) return "past";
  return lesson.startDate <= schoolNow ? "now" : "later";
}

/** Whether every lesson of a day is over. */
export function isOver(lessons: Lesson[], schoolNow: string): boolean {
  return lessons.filter((each) => !isBreak(each)).every((each) => progressOf(each, schoolNow) === "past");
}
