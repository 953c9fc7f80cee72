/** Where lessons stand in a timetable to scale: minutes of the day, and lanes beside each other. */

import { timeIn, type Day } from "../lib/school_time";
import type { Lesson } from "./lessons";

export interface Placed {
  lesson: Lesson;
  /** Minutes since midnight. */
  from: number;
  to: number;
  lane: number;
  /** How many stand beside each other. */
  lanes: number;
}

const USUAL_HOURS = { first: 8, last: 15 };
/** A lesson without an end takes so many minutes, and none takes less than the second number. */
const WITHOUT_END = 40;
const SHORTEST = 10;
const LAST_MINUTE = 24 * 60;
/** Between two lessons: shorter is the way to the next room. */
const SHORTEST_FREE = 25;

/** "08:20" → 500. */
export function minutesOf(time: string): number {
  const [hours = 0, minutes = 0] = time.split(":").map(Number);
  return hours * 60 + minutes;
}

/** The lessons of a day that have a time; those that overlap share the width. */
export function placed(lessons: Lesson[]): Placed[] {
  const all = lessons.filter((each) => !each.allDay).map(timed).sort((a, b) => a.from - b.from || b.to - a.to);
  const found: Placed[] = [];
  let together: Placed[] = [];
  let end = 0;
  for (const each of all) {
    if (each.from >= end) together = [];
    const taken = together.filter(({ to }) => to > each.from).map(({ lane }) => lane);
    const lane = firstFree(taken);
    const here = { ...each, lane, lanes: 0 };
    together.push(here);
    found.push(here);
    end = Math.max(end, each.to);
    const lanes = Math.max(...together.map((other) => other.lane)) + 1;
    for (const other of together) other.lanes = lanes;
  }
  return found;
}

function timed(lesson: Lesson): { lesson: Lesson; from: number; to: number } {
  const from = minutesOf(timeIn(lesson.start));
  if (!lesson.end) return { lesson, from, to: Math.min(from + WITHOUT_END, LAST_MINUTE) };
  const to = lesson.end.slice(0, 10) > lesson.firstDay ? LAST_MINUTE : minutesOf(timeIn(lesson.end));
  return { lesson, from, to: Math.max(to, from + SHORTEST) };
}

function firstFree(taken: number[]): number {
  let lane = 0;
  while (taken.includes(lane)) lane += 1;
  return lane;
}

/** From and to which minute of the day. */
export interface FreeTime {
  from: number;
  to: number;
}

/** The time between lessons of a day that take place. */
export function freeTimes(day: Placed[]): FreeTime[] {
  const free: FreeTime[] = [];
  let end: number | undefined;
  for (const { lesson, from, to } of day) {
    if (lesson.cancelled) continue;
    if (end !== undefined && from - end >= SHORTEST_FREE) free.push({ from: end, to: from });
    end = Math.max(end ?? 0, to);
  }
  return free;
}

export interface Hours {
  first: number;
  last: number;
}

/** The hours that a week needs: those of a usual school day at least. */
export function hoursOf(days: Placed[][]): Hours {
  const all = days.flat();
  return {
    first: Math.min(USUAL_HOURS.first, ...all.map(({ from }) => Math.floor(from / 60))),
    last: Math.max(USUAL_HOURS.last, ...all.map(({ to }) => Math.ceil(to / 60))),
  };
}

/** "8.25": hours from the top of the timetable, for a length of the style sheet. */
export const hoursFrom = (minutes: number, { first }: Hours): string => `${minutes / 60 - first}`;

const COLOUR = /^#[0-9a-f]{6}$/i;
const COLOURS = ["#5b8def", "#d9687c", "#3f9d6b", "#b8862b", "#8a63d2", "#2f97a8"];

/** The school's colour of the subject, or always the same one for the same name. */
export function colourOf({ colour, title }: Lesson): string {
  if (colour && COLOUR.test(colour) && !isGrey(colour)) return colour;
  let sum = 0;
  for (const letter of title) sum = (sum * 31 + (letter.codePointAt(0) ?? 0)) % 9973;
  return COLOURS[sum % COLOURS.length] as string;
}

const isGrey = (colour: string): boolean => colour.slice(1, 3) === colour.slice(3, 5) && colour.slice(3, 5) === colour.slice(5, 7);

/** Whether the day is one that the school's week has without lessons. */
export const isWeekend = (day: Day): boolean => [0, 6].includes(new Date(`${day}T12:00:00Z`).getUTCDay());
