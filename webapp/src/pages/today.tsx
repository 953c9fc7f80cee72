import type { ComponentChildren } from "preact";
import { inLanguage } from "../lib/language";
import { dayOf, longNameOfDay, timeOf, weekOf, type Day } from "../lib/school_time";
import { useNow } from "../lib/use_now";
import { areSettled } from "../lib/use_resource";
import { AssignmentList } from "../school/assignment_list";
import { ChildChooser, isChildKnown } from "../school/child_chooser";
import { Countdowns } from "../school/countdowns";
import { LessonsOfToday } from "../school/lessons_of_today";
import { LunchOfDay } from "../school/lunch_of_day";
import { useNextSchoolDay } from "../school/next_school_day";
import { useAssignments, useLunch, useSchedule, useScheduleChanges } from "../school/resources";
import { ScheduleChanges } from "../school/schedule_changes";
import { Page } from "../shell/page";
import { Loaded, Loading } from "../ui/loaded";
import { Section } from "../ui/section";

const texts = inLanguage({
  en: { today: "Today", lessons: "Lessons", lunch: "Lunch", due: "To hand in", week: "The whole week" },
  sv: { today: "Idag", lessons: "Lektioner", lunch: "Lunch", due: "Att lämna in", week: "Hela veckan" },
});

const DAY = 86_400_000;

export function Today() {
  const now = useNow();
  const today = dayOf(now);
  return (
    <Page title={texts.today} class="today">
      <p class="today-date">{longNameOfDay(today)}</p>
      <ChildChooser />
      {isChildKnown() ? (
        <SchoolDay today={today} now={now}>
          <Countdowns today={today} />
        </SchoolDay>
      ) : (
        <Countdowns today={today} />
      )}
    </Page>
  );
}

interface Props {
  today: Day;
  now: number;
  /** What comes after it. */
  children: ComponentChildren;
}

/** Today's school. A section waits for those above it, so that nothing that is shown moves down. */
function SchoolDay({ today, now, children }: Props) {
  const changes = useScheduleChanges(Date.parse(`${today}T00:00:00Z`) - 7 * DAY);
  const schedule = useSchedule(weekOf(today));
  const lunch = useLunch(weekOf(today));
  const assignments = useAssignments(weekOf(today));
  const schoolNow = `${today}T${timeOf(now)}`;
  const next = useNextSchoolDay(schedule, schoolNow);
  if (!areSettled(changes, schedule) || !next.isSettled) return <Loaded resource={schedule}>{() => <Loading />}</Loaded>;
  return (
    <>
      <ScheduleChanges resource={changes} today={today} />
      <Section title={texts.lessons} link={{ href: "/app/week", name: texts.week }}>
        <Loaded resource={schedule}>
          {(data) => <LessonsOfToday answer={data} schoolNow={schoolNow} next={next} />}
        </Loaded>
      </Section>
      <Section title={texts.lunch}>
        <Loaded resource={lunch} brief>
          {(data) => <LunchOfDay day={today} lunch={data} />}
        </Loaded>
      </Section>
      {areSettled(lunch) && (
        <Section title={texts.due}>
          <Loaded resource={assignments} brief>
            {(data) => (
              <AssignmentList assignments={data.data.filter((each) => String(each.sortDate ?? "") >= today)} today={today} />
            )}
          </Loaded>
        </Section>
      )}
      {areSettled(lunch, assignments) && children}
    </>
  );
}
