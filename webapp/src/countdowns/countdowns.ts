/** Days that the person counts down to. */

import { api, type Schemas } from "../api/client";
import { good } from "../api/errors";
import { inLanguage, locale } from "../lib/language";
import { dayOf, daysBetween, type Day } from "../lib/school_time";

export type Countdown = Schemas["Countdown"];
type NewCountdown = Schemas["CountdownRequestRequest"];
export type CountdownChange = Schemas["PatchedCountdownRequestRequest"];

const texts = inLanguage({
  en: {
    today: "today",
    tomorrow: "tomorrow",
    yesterday: "yesterday",
    left: (days: number) => `${days} days left`,
    ago: (days: number) => `${days} days ago`,
  },
  sv: {
    today: "idag",
    tomorrow: "imorgon",
    yesterday: "igår",
    left: (days: number) => `${days} dagar kvar`,
    ago: (days: number) => `för ${days} dagar sedan`,
  },
});

const date = new Intl.DateTimeFormat(locale, { timeZone: "Europe/Stockholm", dateStyle: "long" });

/** Those that are pinned first; then the next one; what is over at the end. */
export const sorted = (countdowns: Countdown[]): Countdown[] =>
  countdowns.toSorted((a, b) => rank(a) - rank(b) || a.targetDate - b.targetDate);

const rank = (each: Countdown): number => (each.pinned ? 0 : daysLeft(each) >= 0 ? 1 : 2);

export async function addCountdown(fields: Omit<NewCountdown, "targetDate">, targetDate: Day): Promise<void> {
  await good(api.POST("/api/countdowns", { body: { ...fields, targetDate } }));
}

export async function changeCountdown(countdown_id: string, change: CountdownChange): Promise<void> {
  await good(api.PATCH("/api/countdowns/{countdown_id}", { params: { path: { countdown_id } }, body: change }));
}

export async function removeCountdown(countdown_id: string): Promise<void> {
  await good(api.DELETE("/api/countdowns/{countdown_id}", { params: { path: { countdown_id } } }));
}

const daysLeft = ({ targetDate }: Countdown): number => daysBetween(dayOf(Date.now()), dayOf(targetDate));

/** "12 days left", "tomorrow". */
export function leftOf(countdown: Countdown): string {
  const days = daysLeft(countdown);
  const near: Record<number, string> = { 0: texts.today, 1: texts.tomorrow, [-1]: texts.yesterday };
  return near[days] ?? (days > 0 ? texts.left(days) : texts.ago(-days));
}

/** "12 May 2027". */
export const dateOf = ({ targetDate }: Countdown): string => date.format(targetDate);
