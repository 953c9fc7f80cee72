import type { Schemas } from "../api/client";
import { inLanguage } from "../lib/language";
import { dayFromToday, timeIn, type Day } from "../lib/school_time";
import type { Resource } from "../lib/use_resource";

const texts = inLanguage({
  en: {
    title: "Changed",
    cancelled: "is cancelled",
    added: "was added",
    moved: (time: string) => `moved to ${time}`,
    room: (room: string) => `is in ${room || "another room"}`,
    teacher: (name: string) => `with ${name || "another teacher"}`,
  },
  sv: {
    title: "Ändrat",
    cancelled: "är inställd",
    added: "har lagts till",
    moved: (time: string) => `flyttad till ${time}`,
    room: (room: string) => `är i ${room || "en annan sal"}`,
    teacher: (name: string) => `med ${name || "en annan lärare"}`,
  },
});

type Change = Schemas["LessonChange"];

/** "Matematik moved to 10:20". */
export function sentenceOfChange({ change, lesson, after }: Change): string {
  const name = after?.name || lesson?.name || "";
  const what = {
    cancelled: texts.cancelled,
    added: texts.added,
    moved: texts.moved(after ? timeIn(after.startDate) : ""),
    room: texts.room(after?.room ?? ""),
    teacher: texts.teacher(after?.teacher ?? ""),
  };
  return `${name} ${what[change]}`;
}

/** What the school changed of the lessons from today on. Nothing while there is nothing to say. */
export function ScheduleChanges({ resource, today }: { resource: Resource<Schemas["ScheduleChanges"]>; today: Day }) {
  const changes = resource.data?.changes.filter((each) => each.date.slice(0, 10) >= today) ?? [];
  if (changes.length === 0) return null;
  return (
    <section class="changes" aria-labelledby="changes">
      <h2 id="changes">{texts.title}</h2>
      <ul>
        {changes.map((each) => (
          <li key={`${each.at}${each.date}${each.change}${each.lesson?.startDate}`}>
            <strong>{dayFromToday(each.date, today)}</strong> {sentenceOfChange(each)}
          </li>
        ))}
      </ul>
    </section>
  );
}
