import type { Schemas } from "../api/client";
import { inLanguage } from "../lib/language";
import { daysBetween, longDateOf } from "../lib/school_time";
import { LessonRow } from "./lesson_row";
import { lessonsIn, lessonsOf, progressOf, slotsOf, type Lesson } from "./lessons";
import { NowAndNext } from "./now_and_next";
import type { NextSchoolDay } from "./next_school_day";

const texts = inLanguage({
  en: {
    none: "No lessons today.",
    tomorrow: "Tomorrow",
    noneLater: "No lessons in the next three weeks.",
    parallel: (count: number) => `${count} at the same time`,
  },
  sv: {
    none: "Inga lektioner idag.",
    tomorrow: "Imorgon",
    noneLater: "Inga lektioner de närmaste tre veckorna.",
    parallel: (count: number) => `${count} samtidigt`,
  },
});

interface Props {
  answer: Schemas["Schedule"];
  /** "2026-11-23T10:05". */
  schoolNow: string;
  next: NextSchoolDay;
}

/** The lessons of today, and when they are over, of the next school day. */
export function LessonsOfToday({ answer, schoolNow, next }: Props) {
  const today = schoolNow.slice(0, 10);
  const shown = lessonsOf(today, lessonsIn(answer));
  return (
    <>
      {shown.length === 0 && <p class="empty card">{texts.none}</p>}
      <NowAndNext lessons={shown} schoolNow={schoolNow} />
      <LessonRows lessons={shown} schoolNow={schoolNow} />
      {next.day && (
        <>
          <h3 class="lessons-next">{daysBetween(today, next.day) === 1 ? texts.tomorrow : longDateOf(next.day)}</h3>
          <LessonRows lessons={next.lessons} schoolNow={schoolNow} />
        </>
      )}
      {next.isNone && <p class="quiet lessons-next">{texts.noneLater}</p>}
    </>
  );
}

/** Lessons at the same time (groups of languages, a substitute) are beside each other. */
export function LessonRows({ lessons, schoolNow }: { lessons: Lesson[]; schoolNow: string }) {
  const row = (lesson: Lesson, index: number) => (
    <LessonRow key={`${lesson.start}${lesson.id}${index}`} lesson={lesson} progress={progressOf(lesson, schoolNow)} />
  );
  return (
    <ol class="lessons">
      {slotsOf(lessons).map((slot, index) =>
        slot.length === 1 ? (
          slot.map((each) => row(each, index))
        ) : (
          <li key={`${slot[0]?.start}${index}`}>
            <ul class="lessons-parallel" aria-label={texts.parallel(slot.length)}>
              {slot.map(row)}
            </ul>
          </li>
        ),
      )}
    </ol>
  );
}
