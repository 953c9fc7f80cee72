import type { Schemas } from "../api/client";
import { inLanguage } from "../lib/language";
import { dayOf, daysBetween, shortNameOfDay, type Day } from "../lib/school_time";

const texts = inLanguage({
  en: { today: "today", day: "day left", days: "days left" },
  sv: { today: "idag", day: "dag kvar", days: "dagar kvar" },
});

/** A countdown as a small card: how many days are left, and until what. */
export function CountdownRow({ countdown, today }: { countdown: Schemas["Countdown"]; today: Day }) {
  const day = dayOf(countdown.targetDate);
  const left = daysBetween(today, day);
  return (
    <li class={`countdown countdown-${countdown.theme}`}>
      <span class="countdown-emoji" aria-hidden="true">
        {countdown.emoji}
      </span>
      <div class="row-main">
        <p class="row-title">{countdown.title}</p>
        <p class="small">{shortNameOfDay(day)}</p>
      </div>
      <p class="countdown-left">
        {left > 0 && <strong>{left}</strong>} {left > 1 ? texts.days : left === 1 ? texts.day : texts.today}
      </p>
    </li>
  );
}
