import { inLanguage } from "../lib/language";
import { timeIn } from "../lib/school_time";
import type { Lesson, Progress } from "./lessons";

const texts = inLanguage({
  en: { allDay: "All day", now: "Now", absent: "Absent", cancelled: "Cancelled" },
  sv: { allDay: "Hela dagen", now: "Nu", absent: "Frånvaro", cancelled: "Inställd" },
});

/** One lesson: when, what, where and with whom. */
export function LessonRow({ lesson, progress }: { lesson: Lesson; progress?: Progress }) {
  const where = [lesson.text, lesson.room, lesson.teacher].filter(Boolean);
  const kind = lesson.isBreak ? "lesson lesson-break" : "lesson";
  return (
    <li class={`${kind} lesson-${progress ?? "later"}`} style={{ "--lesson": lesson.colour ?? "var(--line)" }}>
      <div class="lesson-time">
        {lesson.allDay ? (
          texts.allDay
        ) : (
          <>
            <time dateTime={lesson.start}>{timeIn(lesson.start)}</time>
            {lesson.end && (
              <>
                <span class="visually-hidden">–</span>
                <time class="quiet" dateTime={lesson.end}>
                  {timeIn(lesson.end)}
                </time>
              </>
            )}
          </>
        )}
      </div>
      <div class="lesson-main">
        <p class="row-title">
          {lesson.cancelled ? <s>{lesson.title}</s> : lesson.title}{" "}
          {lesson.cancelled && <span class="tag tag-bad">{texts.cancelled}</span>}{" "}
          {!lesson.cancelled && progress === "now" && <span class="tag tag-accent">{texts.now}</span>}{" "}
          {lesson.isAbsent && <span class="tag tag-warn">{texts.absent}</span>}
        </p>
        {where.length > 0 && <p class="lesson-where">{where.join(" · ")}</p>}
      </div>
    </li>
  );
}
