import type { Schemas } from "../api/client";
import { inLanguage } from "../lib/language";
import { nameOfDay, shortNameOfDay, timeIn, timeOfMinutes, type Day } from "../lib/school_time";
import { changeOf, type Change } from "./changed_lessons";
import { dateOfExam, type Exam } from "./exams";
import { LessonSlot, type Attended } from "./lesson_slot";
import { lessonsOf, progressOf, type Lesson } from "./lessons";
import { LunchOfDay } from "./lunch_of_day";
import { freeTimes, hoursFrom, minutesOf, type FreeTime, type Hours, type Placed } from "./timetable";

const texts = inLanguage({
  en: {
    none: "No lessons",
    lunch: "Lunch",
    free: "Free",
    due: (count: number) => (count === 1 ? "1 exam or deadline" : `${count} exams and deadlines`),
  },
  sv: {
    none: "Inga lektioner",
    lunch: "Lunch",
    free: "Fri tid",
    due: (count: number) => (count === 1 ? "1 prov eller inlämning" : `${count} prov och inlämningar`),
  },
});

/** What a timetable shows beside the lessons; each may come later. */
export interface Beside {
  changes: Change[];
  attended: Attended[];
  exams: Exam[];
  /** The days of assignments that are due and not among the exams. */
  due: Day[];
  lunch: Schemas["Lunch"] | undefined;
}

interface Props extends Beside {
  day: Day;
  lessons: Lesson[];
  places: Placed[];
  hours: Hours;
  /** "2026-11-23T10:05". */
  schoolNow: string;
}

/** A day of the timetable: its name, what lasts all day, the lessons to scale, and lunch. */
export function TimetableDay({ day, lessons, places, hours, schoolNow, ...beside }: Props) {
  const isToday = schoolNow.slice(0, 10) === day;
  const allDay = lessonsOf(day, lessons).filter((each) => each.allDay);
  const exams = beside.exams.filter((each) => dateOfExam(each).slice(0, 10) === day);
  const count = exams.length + beside.due.filter((each) => each === day).length;
  return (
    <section class="day" aria-labelledby={`day-${day}`} data-today={isToday}>
      <div class="day-head">
        <h2 id={`day-${day}`}>
          {nameOfDay(day)} <span class="quiet">{shortNameOfDay(day).split(" ").slice(1).join(" ")}</span>
        </h2>
        {/* As high without it, so that nothing moves when it comes. */}
        <p class="day-due">{count > 0 && <a href="#due">{texts.due(count)}</a>}</p>
      </div>
      <ul class="day-events">
        {allDay.map((each) => (
          <li key={`${each.id}${each.title}`} class="tag tag-accent">
            {each.cancelled ? <s>{each.title}</s> : each.title}
          </li>
        ))}
      </ul>
      <div class="day-hours" style={{ "--length": `${hours.last - hours.first}` }}>
        {places.length === 0 && allDay.length === 0 && <p class="quiet">{texts.none}</p>}
        <ol>
          {inOrder(places).map((place, index) =>
            "lesson" in place ? (
              <LessonSlot
                key={`${place.lesson.start}${place.lesson.id}${index}`}
                place={place}
                hours={hours}
                progress={progressOf(place.lesson, schoolNow)}
                change={changeOf(place.lesson, beside.changes)}
                attended={attendedOf(place.lesson, beside.attended)}
                exam={exams.find((exam) => isDuring(exam, place))?.title}
              />
            ) : (
              <li key={place.from} class="free quiet" style={{ "--from": hoursFrom(place.from, hours), "--hours": `${(place.to - place.from) / 60}` }}>
                {texts.free} {timeOfMinutes(place.from)}–{timeOfMinutes(place.to)}
              </li>
            ),
          )}
        </ol>
        {isToday && <NowLine minutes={minutesOf(timeIn(schoolNow))} hours={hours} />}
      </div>
      <div class="day-lunch">
        {beside.lunch && (
          <>
            <h3 class="visually-hidden">{texts.lunch}</h3>
            <LunchOfDay day={day} lunch={beside.lunch} />
          </>
        )}
      </div>
    </section>
  );
}

/** Lessons and free time, as a screen reader reads them: in the order of the day. */
const inOrder = (places: Placed[]): (Placed | FreeTime)[] =>
  [...places, ...freeTimes(places)].sort((one, other) => one.from - other.from);

function NowLine({ minutes, hours }: { minutes: number; hours: Hours }) {
  if (minutes < hours.first * 60 || minutes > hours.last * 60) return null;
  return <div class="now-line" aria-hidden="true" style={{ "--from": hoursFrom(minutes, hours) }} />;
}

const attendedOf = ({ id, start }: Lesson, attended: Attended[]): Attended | undefined =>
  attended.find((each) => each.start.slice(0, 16) === start && (each.eventId ?? "") === id);

/** Whether an exam is written in this lesson. Exams have the times of upstream's, "2026-03-17 08:20". */
function isDuring({ kind, start, end, allDay }: Exam, { lesson, from, to }: Placed): boolean {
  if (kind !== "exam" || allDay || lesson.isBreak || lesson.cancelled) return false;
  if (end && end.slice(0, 10) !== start.slice(0, 10)) return false; // days, within which it may be written
  const begins = minutesOf(timeIn(start));
  const ends = end ? minutesOf(timeIn(end)) : begins + 1;
  return begins < to && ends > from;
}
