import type { Schemas } from "../api/client";
import { addDays, weekOf, type Day } from "../lib/school_time";
import { areSettled, type Resource } from "../lib/use_resource";
import { isAbout, isOver, lessonsIn, lessonsOf, schoolDayAfter, type Lesson } from "./lessons";
import { useSchedule } from "./resources";

export interface NextSchoolDay {
  /** Undefined while today's lessons go on, and where none was found. */
  day?: Day | undefined;
  lessons: Lesson[];
  /** Whether there is no school day in all these weeks. */
  isNone: boolean;
  isSettled: boolean;
}

/** As long as the holidays of Christmas. */
const WEEKS_AHEAD = [1, 2, 3];

/** When today's lessons are over: the next day with lessons, in this week or those after it. */
export function useNextSchoolDay(schedule: Resource<Schemas["Schedule"]>, schoolNow: string): NextSchoolDay {
  const today = schoolNow.slice(0, 10);
  const found = schedule.data ? lessonsIn(schedule.data) : [];
  const isWanted = schedule.data !== undefined && isOver(lessonsOf(today, found), schoolNow);
  let lessons = found;
  let day = isWanted ? schoolDayAfter(today, lessons) : undefined;
  let isKnown = isWanted;
  let isSettled = areSettled(schedule);
  for (const weeks of WEEKS_AHEAD) {
    const monday = addDays(today, 7 * weeks);
    const isNeeded = isKnown && !day;
    const later = useSchedule(isNeeded ? weekOf(monday) : null);
    if (!isNeeded) continue;
    isSettled = areSettled(later);
    isKnown = later.data !== undefined && isAbout(monday, later.data);
    lessons = later.data && isKnown ? lessonsIn(later.data) : [];
    day = schoolDayAfter(today, lessons);
  }
  return { day, lessons: day ? lessonsOf(day, lessons) : [], isNone: isKnown && !day, isSettled };
}
