import { useLocation } from "preact-iso";
import { inLanguage } from "../lib/language";
import { addDays, dayOf, mondayOf, nameOfDay, shortNameOfDay, timeOf, weekOf, type Day } from "../lib/school_time";
import { useNow } from "../lib/use_now";
import { areSettled } from "../lib/use_resource";
import { AssignmentList } from "../school/assignment_list";
import { ChildChooser, isChildKnown } from "../school/child_chooser";
import { isAbout, lessonsIn, lessonsOf, type Lesson } from "../school/lessons";
import { LessonRows } from "../school/lessons_of_today";
import { LunchOfDay } from "../school/lunch_of_day";
import { useAssignments, useLunch, useSchedule } from "../school/resources";
import { Page } from "../shell/page";
import { Icon } from "../ui/icon";
import { Loaded } from "../ui/loaded";
import { Section } from "../ui/section";

const texts = inLanguage({
  en: {
    week: "Week",
    earlier: "Earlier week",
    later: "Later week",
    now: "This week",
    none: "No lessons.",
    due: "To hand in",
    unknown: "The school does not show the lessons of this week: it shows half a year before and after today.",
  },
  sv: {
    week: "Vecka",
    earlier: "Förra veckan",
    later: "Nästa vecka",
    now: "Den här veckan",
    none: "Inga lektioner.",
    due: "Att lämna in",
    unknown: "Skolan visar inte lektionerna den här veckan: den visar ett halvår före och efter idag.",
  },
});

/** A week: each day's lessons and lunch, and what is to be handed in. `?from=` names a day of it. */
export default function WeekPage() {
  const now = useNow();
  const today = dayOf(now);
  const { query } = useLocation();
  const monday = mondayOf(/^\d{4}-\d{2}-\d{2}$/.test(query["from"] ?? "") ? (query["from"] as Day) : today);
  const title = `${texts.week} ${weekOf(monday).week}`;
  return (
    <Page title={title} actions={<WeekLinks monday={monday} today={today} />} class="week">
      <ChildChooser />
      {isChildKnown() && <Days monday={monday} schoolNow={`${today}T${timeOf(now)}`} />}
    </Page>
  );
}

function WeekLinks({ monday, today }: { monday: Day; today: Day }) {
  return (
    <>
      {monday !== mondayOf(today) && (
        <a class="button-quiet" href="/app/week">
          {texts.now}
        </a>
      )}
      <a class="button-icon" href={`/app/week?from=${addDays(monday, -7)}`} aria-label={texts.earlier}>
        <Icon name="back" />
      </a>
      <a class="button-icon" href={`/app/week?from=${addDays(monday, 7)}`} aria-label={texts.later}>
        <Icon name="forward" />
      </a>
    </>
  );
}

function Days({ monday, schoolNow }: { monday: Day; schoolNow: string }) {
  const today = schoolNow.slice(0, 10);
  const schedule = useSchedule(weekOf(monday));
  const lunch = useLunch(weekOf(monday));
  const assignments = useAssignments(weekOf(monday));
  return (
    <>
      <Loaded resource={schedule}>
        {(data) => !isAbout(monday, data) ? <p class="empty card">{texts.unknown}</p> : (
          <div class="days">
            {daysWith(lessonsIn(data), monday).map((day) => (
              <section key={day} class="day" aria-labelledby={`day-${day}`} data-today={day === today}>
                <h2 id={`day-${day}`}>
                  {nameOfDay(day)} <span class="quiet">{shortNameOfDay(day).split(" ").slice(1).join(" ")}</span>
                </h2>
                <LessonsOfDay day={day} lessons={lessonsIn(data)} schoolNow={schoolNow} />
                <div class="day-lunch">{lunch.data && <LunchOfDay day={day} lunch={lunch.data} />}</div>
              </section>
            ))}
          </div>
        )}
      </Loaded>
      {/* Below the lessons, which would move it down. */}
      {areSettled(schedule) && (
        <Section title={texts.due}>
          <Loaded resource={assignments} brief>
            {(data) => <AssignmentList assignments={data.data} today={today} />}
          </Loaded>
        </Section>
      )}
    </>
  );
}

/** Monday to Friday, and days of the weekend that have lessons. */
function daysWith(lessons: Lesson[], monday: Day): Day[] {
  const days = [0, 1, 2, 3, 4, 5, 6].map((each) => addDays(monday, each));
  return days.filter((day, index) => index < 5 || lessonsOf(day, lessons).length > 0);
}

function LessonsOfDay({ day, lessons, schoolNow }: { day: Day; lessons: Lesson[]; schoolNow: string }) {
  const found = lessonsOf(day, lessons);
  if (found.length === 0) return <p class="quiet">{texts.none}</p>;
  return <LessonRows lessons={found} schoolNow={schoolNow} />;
}
