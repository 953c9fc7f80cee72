/**
 * Dates and times of the school, which are those of Stockholm wherever the reader is.
 *
 * The school's own dates are strings without a zone ("2026-11-23T08:20"): they are cut, not
 * converted. `Day` is such a date without the time ("2026-11-23").
 */

import { inLanguage, locale } from "./language";

export type Day = string;
export interface Week {
  year: number;
  week: number;
}

const ZONE = "Europe/Stockholm";
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const texts = inLanguage({
  en: { today: "Today", tomorrow: "Tomorrow", yesterday: "Yesterday" },
  sv: { today: "Idag", tomorrow: "Imorgon", yesterday: "Igår" },
});

const isoDay = new Intl.DateTimeFormat("sv-SE", { timeZone: ZONE, dateStyle: "short" });
const clock = new Intl.DateTimeFormat("sv-SE", { timeZone: ZONE, hour: "2-digit", minute: "2-digit" });
const weekday = new Intl.DateTimeFormat(locale, { timeZone: "UTC", weekday: "long" });
const shortDay = new Intl.DateTimeFormat(locale, { timeZone: "UTC", weekday: "short", day: "numeric", month: "short" });
const longDay = new Intl.DateTimeFormat(locale, { timeZone: "UTC", weekday: "long", day: "numeric", month: "long" });

/** The day in Stockholm at a moment (milliseconds since 1970). */
export const dayOf = (moment: number): Day => isoDay.format(moment);
/** "08:20" in Stockholm. */
export const timeOf = (moment: number): string => clock.format(moment);
/** "08:20" of a date of the school; empty where it has no time. */
export const timeIn = (date: string): string => (/^.{10}[ T](\d\d:\d\d)/.exec(date)?.[1] ?? "");

/** As `timeIn`, of a day by whose end something is due: midnight is what the school says for no time. */
export const dueTimeIn = (date: string): string => timeIn(date).replace("00:00", "");
/** "tis 10 mars 00:00 - tis 17 mars 08:20" → "tis 10 mars - tis 17 mars 08:20", for the same reason. */
export const withoutMidnight = (words: string): string => words.replace(/( kl\.?)? 00:00(?![:\d])/g, "");

/** "08:20" of 500 minutes after midnight. */
export const timeOfMinutes = (minutes: number): string =>
  [Math.floor(minutes / 60), minutes % 60].map((each) => String(each).padStart(2, "0")).join(":");

const middayOf = (day: Day): number => Date.parse(`${day.slice(0, 10)}T12:00:00Z`);

/** Whether it is a day of the calendar, as "2026-13-45" is not. */
export const isDay = (text: string): boolean => isDate(text) && addDays(text, 0) === text;

const isDate = (text: string): boolean => !Number.isNaN(middayOf(text));

export function addDays(day: Day, days: number): Day {
  return new Date(middayOf(day) + days * DAY).toISOString().slice(0, 10);
}

/** How many days `later` is after `earlier`. */
export function daysBetween(earlier: Day, later: Day): number {
  return Math.round((middayOf(later) - middayOf(earlier)) / DAY);
}

/** The ISO week of a day. The week belongs to the year of its Thursday. */
export function weekOf(day: Day): Week {
  const thursday = new Date(middayOf(addDays(mondayOf(day), 3)));
  const year = thursday.getUTCFullYear();
  const week = 1 + Math.floor((thursday.getTime() - Date.UTC(year, 0, 1)) / DAY / 7);
  return { year, week };
}

export function mondayOf(day: Day): Day {
  const afterMonday = (new Date(middayOf(day)).getUTCDay() + 6) % 7;
  return addDays(day, -afterMonday);
}

// The school's dates are what its system sends: a text that is no date is shown as it is.

/** "Monday". */
export const nameOfDay = (day: Day): string => (isDate(day) ? capital(weekday.format(middayOf(day))) : day);
/** "Mon 23 Nov". */
export const shortNameOfDay = (day: Day): string => (isDate(day) ? capital(shortDay.format(middayOf(day))) : day);
/** "Monday 23 November". */
export const longNameOfDay = (day: Day): string => (isDate(day) ? capital(longDay.format(middayOf(day))) : day);
/** As `longNameOfDay`, with the year if it is another one than now. */
export const longDateOf = (day: Day): string => longNameOfDay(day) + otherYear(day);
/** As `longDateOf`, for the middle of a sentence, where Swedish begins a day with a small letter. */
export const longDateInText = (day: Day): string => (isDate(day) ? longDay.format(middayOf(day)) + otherYear(day) : day);

/** "Today", "Tomorrow" or "Mon 23 Nov". */
export function dayFromToday(day: Day, today: Day): string {
  const near: Record<number, string> = { 0: texts.today, 1: texts.tomorrow, [-1]: texts.yesterday };
  return near[daysBetween(today, day)] ?? shortNameOfDay(day);
}

/** When something happened: the time today, else the day. */
export function whenOf(moment: number, now: number): string {
  const day = dayOf(moment);
  return day === dayOf(now) ? timeOf(moment) : dayFromToday(day, dayOf(now));
}

function otherYear(day: Day): string {
  const year = day.slice(0, 4);
  return !isDate(day) || year === dayOf(Date.now()).slice(0, 4) ? "" : ` ${year}`;
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
