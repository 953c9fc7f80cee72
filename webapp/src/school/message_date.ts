import { longDateOf, timeIn } from "../lib/school_time";

/** The day of a message of the school, with the year if it is another one, and the time if it has one. */
export function dateOfMessage(date: string): string {
  return `${longDateOf(date)} ${timeIn(date)}`.trimEnd();
}
