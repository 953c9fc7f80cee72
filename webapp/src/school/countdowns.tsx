import type { Schemas } from "../api/client";
import { inLanguage } from "../lib/language";
import { dayOf, type Day } from "../lib/school_time";
import type { Resource } from "../lib/use_resource";
import { Loaded } from "../ui/loaded";
import { Section } from "../ui/section";
import { CountdownRow } from "./countdown_row";

const texts = inLanguage({
  en: { title: "Countdowns", edit: "Edit", none: "No countdowns." },
  sv: { title: "Nedräkningar", edit: "Ändra", none: "Inga nedräkningar." },
});

const SHOWN = 4;

/** The next countdowns, pinned ones first. */
export function Countdowns({ resource, today }: { resource: Resource<Schemas["CountdownList"]>; today: Day }) {
  return (
    <Section title={texts.title} links={[{ href: "/app/countdowns", name: texts.edit }]}>
      <Loaded resource={resource} brief>
        {(data) => {
          const ahead = data.countdowns.filter((each) => !each.archived && dayOf(each.targetDate) >= today);
          if (ahead.length === 0) return <p class="quiet">{texts.none}</p>;
          return (
            <ul class="countdowns">
              {ahead
                .sort((a, b) => Number(b.pinned) - Number(a.pinned) || a.targetDate - b.targetDate)
                .slice(0, SHOWN)
                .map((each) => (
                  <CountdownRow key={each.id} countdown={each} today={today} />
                ))}
            </ul>
          );
        }}
      </Loaded>
    </Section>
  );
}
