/** What the school changed of a week's lessons, beside the lessons that it shows now. */

import type { Schemas } from "../api/client";
import { mondayOf, type Day } from "../lib/school_time";
import type { Lesson } from "./lessons";

export type Change = Schemas["LessonChange"];

/** The lessons, and those that were cancelled and are not shown by the school any more. */
export function withCancelled(lessons: Lesson[], changes: Change[], monday: Day): Lesson[] {
  const gone = changes
    .filter(({ change, date }) => change === "cancelled" && mondayOf(date) === monday)
    .flatMap(({ lesson }) => (lesson && !lessons.some((each) => isSame(each, lesson)) ? [cancelled(lesson, lessons)] : []));
  const once = new Map(gone.map((each) => [`${each.id} ${each.start} ${each.name}`, each]));
  return [...lessons, ...once.values()].sort((a, b) => (a.start < b.start ? -1 : Number(a.start > b.start)));
}

/** The newest change of a lesson that takes place. */
export function changeOf(lesson: Lesson, changes: Change[]): Change | undefined {
  return changes.find(({ after, change }) => change !== "cancelled" && !!after && isSame(lesson, after));
}

type Changed = NonNullable<Change["lesson"]>;

const isSame = (lesson: Lesson, { startDate, name }: Changed): boolean =>
  lesson.start === startDate.slice(0, 16) && (lesson.name === name || lesson.title === name);

function cancelled({ eventId, name, startDate, endDate, room, teacher }: Changed, others: Lesson[]): Lesson {
  const day = startDate.slice(0, 10);
  const known = others.find((each) => each.name === name);
  return {
    id: String(eventId ?? ""),
    name,
    title: known?.title ?? name,
    text: "",
    room: room ?? "",
    teacher: teacher ?? "",
    group: "",
    start: startDate.slice(0, 16),
    end: endDate ?? null,
    firstDay: day,
    lastDay: day,
    allDay: false,
    isBreak: false,
    cancelled: true,
    colour: known?.colour,
    isAbsent: false,
  };
}
