import { inLanguage } from "../lib/language";
import { timeIn } from "../lib/school_time";
import { isAllDay, isBreak, nameOfLesson, type Lesson, type Progress } from "./lessons";

const texts = inLanguage({
  en: { allDay: "All day", now: "Now", absent: "Absent" },
  sv: { allDay: "Hela dagen", now: "Nu", absent: "Frånvaro" },
});

/** One lesson: when, what, where and with whom. */
export function LessonRow({ lesson, progress }: { lesson: Lesson; progress?: Progress }) {
  const where = [lesson.room, (lesson.teacher ?? "").replace(/\s+/g, " ").replace(/,/g, ", ").trim()].filter(Boolean);
  const kind = isBreak(lesson) ? "lesson lesson-break" : "lesson";
  return (
    <li class={`${kind} lesson-${progress ?? "later"}`} style={{ "--lesson": lesson.eventColor ?? "var(--line)" }}>
      <div class="lesson-time">
        {isAllDay(lesson) ? (
          texts.allDay
        ) : (
          <>
            <time dateTime={lesson.startDate}>{timeIn(lesson.startDate)}</time>
            {lesson.endDate && (
              <>
                <span class="visually-hidden">–</span>
                <time class="quiet" dateTime={lesson.endDate}>
                  {timeIn(lesson.endDate)}
                </time>
              </>
            )}
          </>
        )}
      </div>
      <div class="lesson-main">
        <p class="row-title">
          {nameOfLesson(lesson)} {progress === "now" && <span class="tag tag-accent">{texts.now}</span>}{" "}
          {!!lesson.studentLessonStatus?.absence && <span class="tag tag-warn">{texts.absent}</span>}
        </p>
        {where.length > 0 && <p class="lesson-where">{where.join(" · ")}</p>}
      </div>
    </li>
  );
}
