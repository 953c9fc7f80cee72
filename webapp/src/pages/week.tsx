import { useLocation } from "preact-iso";
import { inLanguage } from "../lib/language";
import { addDays, dayOf, isDay, mondayOf, shortNameOfDay, timeOf, weekOf, type Day } from "../lib/school_time";
import { useMedia } from "../lib/use_media";
import { useNow } from "../lib/use_now";
import { useSteps } from "../lib/use_steps";
import { areSettled } from "../lib/use_resource";
import { ChildChooser, isChildKnown } from "../school/child_chooser";
import { DueList } from "../school/due_list";
import { dueBeside } from "../school/exams";
import { isAbout, lessonsIn, lessonsOf, type Lesson } from "../school/lessons";
import { useAssignments, useAttendance, useExams, useLunch, useSchedule, useScheduleChanges } from "../school/resources";
import { isWeekend } from "../school/timetable";
import { Timetable } from "../school/timetable_week";
import { Page } from "../shell/page";
import { Icon } from "../ui/icon";
import { Loaded } from "../ui/loaded";
import "../styles/timetable.css";

const texts = inLanguage({
  en: {
    week: "Week",
    earlierWeek: "Earlier week",
    laterWeek: "Later week",
    earlierDay: "Earlier day",
    laterDay: "Later day",
    now: "Today",
    days: "Days",
    unknown: "The school does not show the lessons of this week: it shows half a year before and after today.",
  },
  sv: {
    week: "Vecka",
    earlierWeek: "Förra veckan",
    laterWeek: "Nästa vecka",
    earlierDay: "Föregående dag",
    laterDay: "Nästa dag",
    now: "Idag",
    days: "Dagar",
    unknown: "Skolan visar inte lektionerna den här veckan: den visar ett halvår före och efter idag.",
  },
});

/** Room for five days beside each other. */
const WIDE = "(min-width: 43.75rem)";
/** As long as the service keeps changes, in days. */
const MONTH = 30;

/** The timetable: a day, or a week where there is room for it. `?from=` names the day. */
export default function WeekPage() {
  const now = useNow();
  const today = dayOf(now);
  const { query, route } = useLocation();
  const isWide = useMedia(WIDE);
  const asked = query["from"] ?? "";
  const day = isDay(asked) ? asked : firstDay(today);
  const later = isWide ? addDays(mondayOf(day), 7) : nextDay(day, 1);
  const earlier = isWide ? addDays(mondayOf(day), -7) : nextDay(day, -1);
  const area = useSteps<HTMLDivElement>((by) => route(pathOf(by === 1 ? later : earlier), true));
  return (
    <Page
      title={`${texts.week} ${weekOf(day).week}`}
      actions={
        <>
          {(isWide ? mondayOf(day) !== mondayOf(firstDay(today)) : day !== firstDay(today)) && (
            <a class="button-quiet" href="/app/week">
              {texts.now}
            </a>
          )}
          <StepLink day={earlier} name={isWide ? texts.earlierWeek : texts.earlierDay} icon="back" />
          <StepLink day={later} name={isWide ? texts.laterWeek : texts.laterDay} icon="forward" />
        </>
      }
      class="week"
    >
      <ChildChooser />
      <div ref={area} class="stack">
        {isChildKnown() && <Week key={mondayOf(day)} day={day} isWide={isWide} schoolNow={`${today}T${timeOf(now)}`} />}
      </div>
    </Page>
  );
}

const pathOf = (day: Day): string => `/app/week?from=${day}`;

/** Today, or Monday after a week that is over. */
const firstDay = (today: Day): Day => (isWeekend(today) ? addDays(mondayOf(today), 7) : today);

/** The next day of school, or the one before. */
function nextDay(day: Day, by: 1 | -1): Day {
  let next = addDays(day, by);
  while (isWeekend(next)) next = addDays(next, by);
  return next;
}

function StepLink({ day, name, icon }: { day: Day; name: string; icon: "back" | "forward" }) {
  return (
    <a class="button-icon" href={pathOf(day)} aria-label={name}>
      <Icon name={icon} />
    </a>
  );
}

interface Props {
  day: Day;
  isWide: boolean;
  schoolNow: string;
}

function Week({ day, isWide, schoolNow }: Props) {
  const monday = mondayOf(day);
  const week = weekOf(monday);
  const schedule = useSchedule(week);
  const known = schedule.data && isAbout(monday, schedule.data) ? week : null;
  const beside = {
    lunch: useLunch(week).data,
    changes: useScheduleChanges(schoolNow.slice(0, 10), MONTH).data?.changes ?? [],
    attendance: useAttendance(known).data,
  };
  const exams = useExams(monday);
  const assignments = useAssignments(week);
  return (
    <>
      <Loaded resource={schedule}>
        {(answer) => (
          <>
            {!isWide && <DayLinks days={daysWith(lessonsIn(answer), monday, day)} day={day} />}
            {known ? (
              <Timetable
                monday={monday}
                days={isWide ? daysWith(lessonsIn(answer), monday) : [day]}
                lessons={lessonsIn(answer)}
                schoolNow={schoolNow}
                exams={exams.data?.exams ?? []}
                due={dueBeside(exams.data?.exams ?? [], assignments.data?.data ?? [])}
                {...beside}
              />
            ) : (
              <p class="empty card">{texts.unknown}</p>
            )}
          </>
        )}
      </Loaded>
      {/* Below the lessons, which would move it down. */}
      {areSettled(schedule) && <DueList assignments={assignments} exams={exams} today={schoolNow.slice(0, 10)} />}
    </>
  );
}

/** Monday to Friday, days of the weekend that have lessons, and this day. */
function daysWith(lessons: Lesson[], monday: Day, shown?: Day): Day[] {
  const days = [0, 1, 2, 3, 4, 5, 6].map((each) => addDays(monday, each));
  return days.filter((day) => !isWeekend(day) || day === shown || lessonsOf(day, lessons).length > 0);
}

/** The days of the week in one row, on a screen that shows one of them. */
function DayLinks({ days, day }: { days: Day[]; day: Day }) {
  return (
    <nav class="day-links" aria-label={texts.days}>
      {days.map((each) => (
        <a key={each} href={pathOf(each)} aria-current={each === day ? "date" : undefined}>
          <span>{shortNameOfDay(each).split(/[ ,]/)[0]}</span>{" "}
          <strong>{Number(each.slice(8))}</strong>
        </a>
      ))}
    </nav>
  );
}

