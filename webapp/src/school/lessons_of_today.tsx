import { inLanguage } from "../lib/language";
import { addDays } from "../lib/school_time";
import { LessonRow } from "./lesson_row";
import { isOver, lessonsOf, progressOf, slotsOf, type Lesson } from "./lessons";

const texts = inLanguage({
  en: { none: "No lessons.", tomorrow: "Tomorrow", parallel: (count: number) => `${count} at the same time` },
  sv: { none: "Inga lektioner.", tomorrow: "Imorgon", parallel: (count: number) => `${count} samtidigt` },
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

/** Lessons at the same time (groups of languages, a substitute) are beside each other. */
export function LessonRows({ lessons, schoolNow }: { lessons: Lesson[]; schoolNow: string }) {
  const row = (lesson: Lesson, index: number) => (
    <LessonRow key={`${lesson.startDate}${lesson.eventId}${index}`} lesson={lesson} progress={progressOf(lesson, schoolNow)} />
  );
  return (
    <ol class="lessons">
      {slotsOf(lessons).map((slot, index) =>
        slot.length === 1 ? (
          slot.map((each) => row(each, index))
        ) : (
          <li key={`${slot[0]?.startDate}${index}`}>
            <ul class="lessons-parallel" aria-label={texts.parallel(slot.length)}>
              {slot.map(row)}
            </ul>
          </li>
        ),
      )}
    </ol>
  );
}
