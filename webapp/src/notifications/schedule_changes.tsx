import type { Schemas } from "../api/client";
import { inLanguage } from "../lib/language";
import { shortNameOfDay, timeIn } from "../lib/school_time";

const texts = inLanguage({
  en: {
    kinds: {
      cancelled: "Cancelled",
      added: "New lesson",
      moved: "Moved",
      room: "Other room",
      teacher: "Other teacher",
    },
    before: "before",
    after: "now",
    nothing: "not given",
  },
  sv: {
    kinds: {
      cancelled: "Inställd",
      added: "Ny lektion",
      moved: "Flyttad",
      room: "Annan sal",
      teacher: "Annan lärare",
    },
    before: "förut",
    after: "nu",
    nothing: "anges inte",
  },
});

type Change = Schemas["LessonChange"];
type Lesson = Schemas["ChangedLesson"];

/** What changed in the schedule, each with how it was and how it is now. */
export function ScheduleChanges({ changes }: { changes: Change[] }) {
  return (
    <ul class="schedule-changes">
      {changes.map((each, index) => (
        <ChangeRow key={index} change={each} />
      ))}
    </ul>
  );
}

function ChangeRow({ change: { change, date, lesson, after } }: { change: Change }) {
  const shown = after ?? lesson;
  return (
    <li>
      <span class={change === "cancelled" ? "tag tag-bad" : "tag tag-accent"}>{texts.kinds[change]}</span>{" "}
      <b>{shown?.name}</b>, {shortNameOfDay(date)}
      <br />
      {lesson && after ? (
        <>
          <span class="visually-hidden">{texts.before}: </span>
          <del>{detailOf(change, lesson)}</del> <span aria-hidden="true">→</span>{" "}
          <span class="visually-hidden">{texts.after}: </span>
          <ins>{detailOf(change, after)}</ins>
        </>
      ) : (
        shown && [timesOf(shown), shown.room].filter(Boolean).join(", ")
      )}
    </li>
  );
}

/** The part of a lesson that such a change is about. */
function detailOf(change: Change["change"], lesson: Lesson): string {
  if (change === "room") return lesson.room || texts.nothing;
  if (change === "teacher") return lesson.teacher || texts.nothing;
  return timesOf(lesson);
}

function timesOf({ startDate, endDate }: Lesson): string {
  return endDate ? `${timeIn(startDate)}–${timeIn(endDate)}` : timeIn(startDate);
}
