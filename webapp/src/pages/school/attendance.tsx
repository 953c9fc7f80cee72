import { useState } from "preact/hooks";
import { api, type Schemas } from "../../api/client";
import { good } from "../../api/errors";
import { inLanguage } from "../../lib/language";
import { addDays, dayOf, longNameOfDay, mondayOf, timeIn, weekOf, type Day } from "../../lib/school_time";
import { useOfEachChild, type Part } from "../../school/each_child";
import { lacksChild, NoChild } from "../../school/child_chooser";
import { Missing } from "../../school/rows_of_school";
import { Page } from "../../shell/page";
import { Icon } from "../../ui/icon";
import { Loaded } from "../../ui/loaded";

const texts = inLanguage({
  en: {
    title: "Attendance",
    week: (week: number) => `Week ${week}`,
    before: "Week before",
    after: "Week after",
    none: "The school has noted no absence this week.",
    absent: "Absent",
    excused: "Absent, approved",
    unknown: "The school says something else",
    minutes: (count: number) => (count === 1 ? "1 minute" : `${count} minutes`),
  },
  sv: {
    title: "Närvaro",
    week: (week: number) => `Vecka ${week}`,
    before: "Veckan före",
    after: "Veckan efter",
    none: "Skolan har inte noterat någon frånvaro den här veckan.",
    absent: "Frånvaro",
    excused: "Giltig frånvaro",
    unknown: "Skolan anger något annat",
    minutes: (count: number) => (count === 1 ? "1 minut" : `${count} minuter`),
  },
});

type Attendance = Schemas["AttendanceWeek"];
type Lesson = Attendance["days"][number]["lessons"][number];

/** The absence of a week: one's own, or that of each of a guardian's children. */
export default function AttendancePage() {
  const thisWeek = mondayOf(dayOf(Date.now()));
  const [monday, setMonday] = useState<Day>(thisWeek);
  const { week } = weekOf(monday);
  return (
    <Page title={texts.title} back="/app/more">
      {lacksChild() ? (
        <NoChild />
      ) : (
        <>
          <div class="button-row week-choice">
            <button type="button" class="button-icon" aria-label={texts.before} onClick={() => setMonday(addDays(monday, -7))}>
              <Icon name="back" />
            </button>
            <h2 aria-live="polite">{texts.week(week)}</h2>
            <button
              type="button"
              class="button-icon"
              aria-label={texts.after}
              disabled={monday === thisWeek}
              onClick={() => setMonday(addDays(monday, 7))}
            >
              <Icon name="forward" />
            </button>
          </div>
          <Absence key={monday} monday={monday} />
        </>
      )}
    </Page>
  );
}

function Absence({ monday }: { monday: Day }) {
  const wanted = weekOf(monday);
  const resource = useOfEachChild(`absence-${wanted.year}-${wanted.week}`, ({ query }) =>
    good(api.GET("/api/attendance", { params: { query: { ...query, ...wanted } } })),
  );
  return (
    <Loaded resource={resource}>
      {({ parts, missing }) => (
        <>
          <Missing missing={missing} />
          {parts.map((part) => (
            <OfOne key={part.asked.key} part={part} />
          ))}
        </>
      )}
    </Loaded>
  );
}

function OfOne({ part: { asked, data } }: { part: Part<Attendance> }) {
  const name = asked.child?.name;
  const lessons = data.days.flatMap((day) => day.lessons).filter(({ state }) => state !== "none");
  return (
    <section class="stack" aria-label={name ?? texts.title}>
      {name && <h3>{name}</h3>}
      {lessons.length === 0 ? (
        <p class="quiet">{texts.none}</p>
      ) : (
        <ul class="rows">
          {lessons.map((lesson, index) => (
            <li key={index}>
              <LessonRow lesson={lesson} />
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function LessonRow({ lesson }: { lesson: Lesson }) {
  const { name, start, state, minutes, reason, comment } = lesson;
  const about = [minutes !== null && texts.minutes(minutes), reason, comment].filter(Boolean).join(" · ");
  return (
    <div class="row">
      <div class="row-main">
        <p class="row-title" dir="auto">
          {name}
        </p>
        <p class="row-text">
          {longNameOfDay(start.slice(0, 10))} {timeIn(start)}
        </p>
        {about && (
          <p class="row-text" dir="auto">
            {about}
          </p>
        )}
      </div>
      <span class={`tag ${state === "absent" ? "tag-bad" : "tag-warn"}`}>{texts[state === "none" ? "unknown" : state]}</span>
    </div>
  );
}
