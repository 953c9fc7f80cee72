import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import type { Schemas } from "../api/client";
import { inLanguage } from "../lib/language";
import { addDays, dayOf, longNameOfDay, mondayOf, timeOf, weekOf, type Day } from "../lib/school_time";
import { useNow } from "../lib/use_now";
import { areSettled, type Resource } from "../lib/use_resource";
import { NewestChats } from "../live/newest_chats";
import { isListKnown, isLive } from "../live/state";
import { ArrangeDialog } from "../school/arrange_dialog";
import { AssignmentList, dueOf } from "../school/assignment_list";
import { children, isGuardian } from "../school/child";
import { ChildChooser, isChildKnown } from "../school/child_chooser";
import { Countdowns } from "../school/countdowns";
import { ForGuardians } from "../school/for_guardians";
import { arrangedBy, type Part } from "../school/home_layout";
import { LessonsOfToday } from "../school/lessons_of_today";
import { LunchOfDay } from "../school/lunch_of_day";
import { NewestNews } from "../school/newest_news";
import { useNextSchoolDay } from "../school/next_school_day";
import { useArticles, useAssignments, useCountdowns, useLayout, useLunch, useSchedule, useScheduleChanges } from "../school/resources";
import { ScheduleChanges } from "../school/schedule_changes";
import { isWeekend } from "../school/timetable";
import { who } from "../session/session";
import { Page } from "../shell/page";
import { Icon } from "../ui/icon";
import { Loaded, Loading } from "../ui/loaded";
import { Section } from "../ui/section";

const texts = inLanguage({
  en: {
    today: "Today",
    arrange: "Arrange the page",
    week: "The whole week",
    nextWeek: "Next week",
    allChats: "All chats",
    allNews: "All news",
    schedule: "Lessons",
    lunch: "Lunch",
    homework: "Assignments and tests",
    messages: "Chats",
    news: "New from school",
    countdown: "Countdowns",
  },
  sv: {
    today: "Idag",
    arrange: "Ordna sidan",
    week: "Hela veckan",
    nextWeek: "Nästa vecka",
    allChats: "Alla chattar",
    allNews: "Alla nyheter",
    schedule: "Lektioner",
    lunch: "Lunch",
    homework: "Uppgifter och prov",
    messages: "Chattar",
    news: "Nytt från skolan",
    countdown: "Nedräkningar",
  },
});

/** The first page: today at school, in the order that the person chose. */
export function Today() {
  const now = useNow();
  const today = dayOf(now);
  const layout = useLayout();
  const countdowns = useCountdowns();
  const [isArranging, setArranging] = useState(false);
  const shown = arrangedBy(layout.data?.layout ?? null).filter(({ isShown }) => isShown).map(({ part }) => part);
  return (
    <Page
      title={texts.today}
      class="today"
      actions={
        layout.data && (
          <button type="button" class="button-icon" aria-label={texts.arrange} onClick={() => setArranging(true)}>
            <Icon name="edit" />
          </button>
        )
      }
    >
      <p class="today-date">{longNameOfDay(today)}</p>
      {isGuardian() && children().length > 0 && <ForGuardians />}
      <ChildChooser />
      {!areSettled(layout) && <Loading />}
      {areSettled(layout) && isChildKnown() && <SchoolDay parts={shown.filter(isForRole)} today={today} now={now} countdowns={countdowns} />}
      {areSettled(layout) && !isChildKnown() && shown.includes("countdown") && <Countdowns resource={countdowns} today={today} />}
      {isArranging && layout.data && (
        <ArrangeDialog layout={layout.data.layout} names={texts} onSaved={layout.replace} onClose={() => setArranging(false)} />
      )}
    </Page>
  );
}

/** Nobody has seen the news page of a teacher. */
const isForRole = (part: Part): boolean => part !== "news" || who.value?.role !== "teacher";

interface Props {
  parts: Part[];
  today: Day;
  now: number;
  countdowns: Resource<Schemas["CountdownList"]>;
}

/** A part waits for those above it, so that nothing that is shown moves down. */
function SchoolDay({ parts, today, now, countdowns }: Props) {
  const week = weekOf(today);
  const when = (part: Part) => (parts.includes(part) ? week : null);
  const lunch = useLunch(when("lunch"));
  const due = useDue(parts.includes("homework") ? today : null);
  const news = useArticles(parts.includes("news") ? "current" : null);
  const lessons = useLessons(parts.includes("schedule"), today, `${today}T${timeOf(now)}`);
  const contents: Record<Part, { isSettled: boolean; content: ComponentChildren }> = {
    schedule: lessons,
    lunch: {
      isSettled: areSettled(lunch),
      content: <Loaded resource={lunch} brief>{(data) => <LunchOfDay day={today} lunch={data} />}</Loaded>,
    },
    homework: due,
    messages: { isSettled: isListKnown.value || !isLive.value, content: <NewestChats now={now} /> },
    news: {
      isSettled: areSettled(news),
      content: <Loaded resource={news} brief>{(data) => <NewestNews articles={data.articles} today={today} />}</Loaded>,
    },
    countdown: { isSettled: areSettled(countdowns), content: null },
  };
  const waiting = parts.findIndex((part) => !contents[part].isSettled);
  const ready = waiting < 0 ? parts : parts.slice(0, waiting);
  return (
    <>
      {ready.map((part) =>
        part === "countdown" ? (
          <Countdowns key={part} resource={countdowns} today={today} />
        ) : (
          <Section key={part} title={texts[part]} links={linksOf(part, today)}>
            {contents[part].content}
          </Section>
        ),
      )}
      {waiting >= 0 && <Loading />}
    </>
  );
}

/** At the weekend, the week that one sees is the next one. */
function linksOf(part: Part, today: Day): { href: string; name: string }[] {
  if (part === "news") return [{ href: "/app/news", name: texts.allNews }];
  if (part === "messages") return [{ href: "/app/chats", name: texts.allChats }];
  if (part !== "schedule") return [];
  const week = { href: "/app/week", name: texts.week };
  const nextMonday = addDays(mondayOf(today), 7);
  return isWeekend(today) ? [week] : [week, { href: `/app/week?from=${nextMonday}`, name: texts.nextWeek }];
}

function useLessons(isWanted: boolean, today: Day, schoolNow: string) {
  const changes = useScheduleChanges(isWanted ? today : null, 7);
  const schedule = useSchedule(isWanted ? weekOf(today) : null);
  const next = useNextSchoolDay(schedule, schoolNow);
  return {
    isSettled: areSettled(changes, schedule) && next.isSettled,
    content: (
      <>
        <ScheduleChanges resource={changes} today={today} />
        <Loaded resource={schedule}>
          {(data) => <LessonsOfToday answer={data} schoolNow={schoolNow} next={next} />}
        </Loaded>
      </>
    ),
  };
}

/** What has to be ready from today on, in this week and the next, the first first. What lasts is in both weeks. */
function useDue(today: Day | null) {
  const first = useAssignments(today === null ? null : weekOf(today));
  const second = useAssignments(today === null ? null : weekOf(addDays(today, 7)));
  const both: Resource<Schemas["WeekAssignments"]["data"]> = {
    ...first,
    data: first.data && [...first.data.data, ...(second.data?.data ?? [])],
    replace: () => undefined,
  };
  return {
    isSettled: areSettled(first, second),
    content: (
      <Loaded resource={both} brief>
        {(data) => {
          const once = new Map(data.map((each) => [each.id, each]));
          const ahead = [...once.values()].filter((each) => dueOf(each) >= (today ?? ""));
          return <AssignmentList assignments={ahead} today={today ?? ""} />;
        }}
      </Loaded>
    ),
  };
}
