import { useState } from "preact/hooks";
import type { Schemas } from "../api/client";
import { inLanguage } from "../lib/language";
import { longDateOf, timeIn } from "../lib/school_time";
import { Dialog } from "../ui/dialog";
import type { Change } from "./changed_lessons";
import type { Lesson, Progress } from "./lessons";
import { sentenceOfChange } from "./schedule_changes";
import { colourOf, hoursFrom, type Hours, type Placed } from "./timetable";

const texts = inLanguage({
  en: {
    cancelled: "Cancelled",
    changed: "Changed",
    now: "Now",
    exam: "Exam",
    absent: "Absent",
    excused: "Absent, approved",
    minutes: (minutes: number) => `${minutes} min`,
    room: "Room",
    teacher: "Teacher",
    group: "Group",
    time: "Time",
    attendance: "Attendance",
    comment: "Comment",
  },
  sv: {
    cancelled: "Inställd",
    changed: "Ändrad",
    now: "Nu",
    exam: "Prov",
    absent: "Frånvaro",
    excused: "Giltig frånvaro",
    minutes: (minutes: number) => `${minutes} min`,
    room: "Sal",
    teacher: "Lärare",
    group: "Grupp",
    time: "Tid",
    attendance: "Närvaro",
    comment: "Kommentar",
  },
});

export type Attended = Schemas["AttendedLesson"];

export interface Marks {
  change: Change | undefined;
  attended: Attended | undefined;
  /** The title of an exam in the lesson. */
  exam: string | undefined;
}

interface Props extends Marks {
  place: Placed;
  hours: Hours;
  progress: Progress;
}

/** A lesson at its place in the timetable. Pressed, it says everything that the school says. */
export function LessonSlot({ place, hours, progress, ...marks }: Props) {
  const [isOpen, setOpen] = useState(false);
  const { lesson, from, to, lane, lanes } = place;
  const style = {
    "--lesson": colourOf(lesson),
    "--from": hoursFrom(from, hours),
    "--hours": `${(to - from) / 60}`,
    "--lane": `${lane}`,
    "--lanes": `${lanes}`,
  };
  if (lesson.isBreak) {
    return (
      <li class="slot slot-break" style={style}>
        <time dateTime={lesson.start}>{timeIn(lesson.start)}</time> {lesson.title}
      </li>
    );
  }
  return (
    <li class={`slot slot-${progress} ${lesson.cancelled ? "slot-cancelled" : ""}`} style={style}>
      <button type="button" onClick={() => setOpen(true)}>
        <span class="slot-title">{lesson.cancelled ? <s>{lesson.title}</s> : lesson.title}</span>{" "}
        <Tags lesson={lesson} progress={progress} {...marks} />{" "}
        <span class="slot-where">
          {timesOf(lesson)} {lesson.room}
        </span>
      </button>
      {isOpen && (
        <Dialog title={lesson.title} onClose={() => setOpen(false)}>
          <Details lesson={lesson} progress={progress} {...marks} />
        </Dialog>
      )}
    </li>
  );
}

const timesOf = ({ start, end }: Lesson): string => (end ? `${timeIn(start)}–${timeIn(end)}` : timeIn(start));

function Tags({ lesson, progress, change, attended, exam }: Marks & { lesson: Lesson; progress: Progress }) {
  if (lesson.cancelled) return <span class="tag tag-bad">{texts.cancelled}</span>;
  return (
    <>
      {progress === "now" && <span class="tag tag-accent">{texts.now}</span>}{" "}
      {exam !== undefined && <span class="tag tag-accent">{texts.exam}</span>}{" "}
      {change && <span class="tag tag-warn">{texts.changed}</span>}{" "}
      {attended?.state === "absent" && <span class="tag tag-bad">{texts.absent}</span>}
      {attended?.state === "excused" && <span class="tag tag-warn">{texts.excused}</span>}
    </>
  );
}

function Details({ lesson, progress, change, attended, exam }: Marks & { lesson: Lesson; progress: Progress }) {
  const minutes = attended?.minutes ? texts.minutes(attended.minutes) : "";
  const isAway = attended?.state === "absent" || attended?.state === "excused";
  const rows: [string, string][] = [
    [texts.time, `${longDateOf(lesson.firstDay)} ${timesOf(lesson)}`],
    [texts.room, lesson.room],
    [texts.teacher, lesson.teacher],
    [texts.group, lesson.group],
    [texts.attendance, isAway ? [minutes, attended.reason].filter(Boolean).join(" · ") : ""],
    [texts.comment, isAway ? (attended.comment ?? "") : ""],
  ];
  return (
    <>
      <p>
        <Tags lesson={lesson} progress={progress} change={change} attended={attended} exam={exam} />
      </p>
      {exam && <p>{exam}</p>}
      {change && <p>{sentenceOfChange(change)}</p>}
      {lesson.text && <p>{lesson.text}</p>}
      <dl class="facts">
        {rows.map(([name, value]) =>
          value ? (
            <div key={name}>
              <dt class="quiet">{name}</dt>
              <dd dir="auto">{value}</dd>
            </div>
          ) : null,
        )}
      </dl>
    </>
  );
}
