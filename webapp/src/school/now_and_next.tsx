import { inLanguage } from "../lib/language";
import { timeIn } from "../lib/school_time";
import { isAttended, progressOf, type Lesson } from "./lessons";
import { minutesOf } from "./timetable";

const texts = inLanguage({
  en: {
    now: "Now",
    next: "Next",
    until: (time: string, minutes: number) => `until ${time}, ${minutes} min left`,
    at: (time: string, minutes: number) => (minutes < 90 ? `at ${time}, in ${minutes} min` : `at ${time}`),
  },
  sv: {
    now: "Nu",
    next: "Nästa",
    until: (time: string, minutes: number) => `till ${time}, ${minutes} min kvar`,
    at: (time: string, minutes: number) => (minutes < 90 ? `${time}, om ${minutes} min` : time),
  },
});

/** What is going on and what comes then, of the lessons of today. */
export function NowAndNext({ lessons, schoolNow }: { lessons: Lesson[]; schoolNow: string }) {
  const taken = lessons.filter(isAttended);
  const now = taken.filter((each) => progressOf(each, schoolNow) === "now");
  const start = taken.find((each) => progressOf(each, schoolNow) === "later")?.start;
  const next = taken.filter((each) => each.start === start);
  if (now.length + next.length === 0) return null;
  const minute = minutesOf(timeIn(schoolNow));
  return (
    <dl class="now-and-next card">
      {now.map((each) => (
        <Line
          key={`${each.id}${each.start}${each.title}`}
          name={texts.now}
          lesson={each}
          when={each.end ? texts.until(timeIn(each.end), minutesOf(timeIn(each.end)) - minute) : ""}
        />
      ))}
      {next.map((each) => (
        <Line
          key={`${each.id}${each.start}${each.title}`}
          name={texts.next}
          lesson={each}
          when={texts.at(timeIn(each.start), minutesOf(timeIn(each.start)) - minute)}
        />
      ))}
    </dl>
  );
}

function Line({ name, lesson, when }: { name: string; lesson: Lesson; when: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        <strong>{lesson.title}</strong> {[lesson.room, when].filter(Boolean).join(" · ")}
      </dd>
    </div>
  );
}
