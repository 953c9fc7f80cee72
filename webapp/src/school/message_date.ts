import { dayOf, longNameOfDay, timeIn } from "../lib/school_time";

/** The day of a message of the school, with the year if it is another one, and the time if it has one. */
export function dateOfMessage(date: string): string {
  const day = date.slice(0, 10);
  const year = day.slice(0, 4);
  const name = longNameOfDay(day) + (year === dayOf(Date.now()).slice(0, 4) ? "" : ` ${year}`);
  return date.length > 10 ? `${name} ${timeIn(date)}` : name;
}
