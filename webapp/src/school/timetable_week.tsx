import type { Schemas } from "../api/client";
import { inLanguage } from "../lib/language";
import { timeOfMinutes, type Day } from "../lib/school_time";
import { withCancelled, type Change } from "./changed_lessons";
import type { Exam } from "./exams";
import { lessonsOf, type Lesson } from "./lessons";
import { hoursOf, placed } from "./timetable";
import { TimetableDay } from "./timetable_day";

const texts = inLanguage({
  en: {
    attendance: (absent: number, excused: number, minutes: number) =>
      `Absence this week: ${absent + excused === 1 ? "1 lesson" : `${absent + excused} lessons`}, ` +
      `${excused} of them approved, ${minutes === 1 ? "1 minute" : `${minutes} minutes`}.`,
  },
  sv: {
    attendance: (absent: number, excused: number, minutes: number) =>
      `Frånvaro den här veckan: ${absent + excused === 1 ? "1 lektion" : `${absent + excused} lektioner`}, ` +
      `varav ${excused === 1 ? "1 giltig" : `${excused} giltiga`}, ${minutes === 1 ? "1 minut" : `${minutes} minuter`}.`,
  },
});

interface Props {
  monday: Day;
  days: Day[];
  lessons: Lesson[];
  /** "2026-11-23T10:05". */
  schoolNow: string;
  changes: Change[];
  exams: Exam[];
  due: Day[];
  lunch: Schemas["Lunch"] | undefined;
  attendance: Schemas["AttendanceWeek"] | undefined;
}

/** Days beside each other, with the hours of the whole week on the side. */
export function Timetable({ monday, days, lessons, attendance, ...rest }: Props) {
  const all = withCancelled(lessons, rest.changes, monday);
  const places = new Map(days.map((day) => [day, placed(lessonsOf(day, all))]));
  // All days of the week, so that going from one to the next does not move the hours.
  const hours = hoursOf([placed(all)]);
  const marks = Array.from({ length: hours.last - hours.first }, (_, index) => hours.first + index);
  const { absent = 0, excused = 0, minutes = 0 } = attendance?.summary ?? {};
  return (
    <>
      <div class="timetable" style={{ "--days": `${days.length}` }}>
        <ol class="hours" aria-hidden="true" style={{ "--length": `${marks.length}` }}>
          {marks.map((hour) => (
            <li key={hour}>{timeOfMinutes(hour * 60)}</li>
          ))}
        </ol>
        {days.map((day) => (
          <TimetableDay
            key={day}
            day={day}
            lessons={all}
            places={places.get(day) ?? []}
            hours={hours}
            attended={attendance?.days.find(({ date }) => date === day)?.lessons ?? []}
            {...rest}
          />
        ))}
      </div>
      {absent + excused > 0 && <p class="quiet">{texts.attendance(absent, excused, minutes)}</p>}
    </>
  );
}
