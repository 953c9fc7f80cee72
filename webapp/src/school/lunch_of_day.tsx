import type { Schemas } from "../api/client";
import { inLanguage } from "../lib/language";
import { mondayOf, daysBetween, type Day } from "../lib/school_time";

const texts = inLanguage({ en: { none: "No lunch is listed." }, sv: { none: "Ingen lunch står med." } });

/** What is served on a day. `lunch` is the day's whole week, by number (1 is Monday). */
export function LunchOfDay({ day, lunch }: { day: Day; lunch: Schemas["LunchDay"][] }) {
  const number = daysBetween(mondayOf(day), day) + 1;
  const dishes = lunch.filter((each) => each.dayId === number).flatMap((each) => each.dishes);
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
