import { inLanguage } from "../lib/language";
import { addDays } from "../lib/school_time";
import { LessonRow } from "./lesson_row";
import { isOver, lessonsOf, progressOf, type Lesson } from "./lessons";

const texts = inLanguage({
  en: { none: "No lessons.", tomorrow: "Tomorrow" },
  sv: { none: "Inga lektioner.", tomorrow: "Imorgon" },
});

/** The lessons of today, and when they are over, of tomorrow. `schoolNow`: "2026-11-23T10:05". */
export function LessonsOfToday({ lessons, schoolNow }: { lessons: Lesson[]; schoolNow: string }) {
  const today = schoolNow.slice(0, 10);
  const shown = lessonsOf(today, lessons);
  const next = isOver(shown, schoolNow) ? lessonsOf(addDays(today, 1), lessons) : [];
  return (
    <>
      {shown.length === 0 && <p class="empty card">{texts.none}</p>}
      <LessonRows lessons={shown} schoolNow={schoolNow} />
      {next.length > 0 && (
        <>
          <h3 class="lessons-next">{texts.tomorrow}</h3>
          <LessonRows lessons={next} schoolNow={schoolNow} />
        </>
      )}
    </>
  );
}

export function LessonRows({ lessons, schoolNow }: { lessons: Lesson[]; schoolNow: string }) {
  return (
    <ol class="lessons">
      {lessons.map((each) => (
        <LessonRow key={`${each.startDate}${each.eventId}`} lesson={each} progress={progressOf(each, schoolNow)} />
      ))}
    </ol>
  );
}
