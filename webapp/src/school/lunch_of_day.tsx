import type { Schemas } from "../api/client";
import { inLanguage } from "../lib/language";
import { mondayOf, daysBetween, type Day } from "../lib/school_time";
import { isAbout } from "./lessons";

const texts = inLanguage({
  en: { none: "No lunch is listed.", unknown: "The school does not show this week's lunch." },
  sv: { none: "Ingen lunch står med.", unknown: "Skolan visar inte veckans lunch." },
});

/** What is served on a day. `lunch` is the answer for the day's week, whose days are numbered (1 is Monday). */
export function LunchOfDay({ day, lunch }: { day: Day; lunch: Schemas["Lunch"] }) {
  if (!isAbout(day, lunch)) return <p class="quiet">{texts.unknown}</p>;
  const number = daysBetween(mondayOf(day), day) + 1;
  const dishes = lunch.data.filter((each) => each.dayId === number).flatMap((each) => each.dishes);
  if (dishes.length === 0) return <p class="quiet">{texts.none}</p>;
  return (
    <ul class="lunch card">
      {dishes.flatMap((dish) =>
        dish.alternatives.map(({ label, text }) => (
          <li key={`${dish.dishType}${label}${text}`}>
            {(label ?? dish.dishType) && <span class="tag">{label ?? dish.dishType}</span>} {text}
          </li>
        )),
      )}
    </ul>
  );
}
