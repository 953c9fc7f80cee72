import type { Schemas } from "../api/client";
import { inLanguage } from "../lib/language";
import { dayFromToday, timeIn, type Day } from "../lib/school_time";
import type { Resource } from "../lib/use_resource";
import { Loaded } from "../ui/loaded";
import { Section } from "../ui/section";
import { AssignmentList } from "./assignment_list";
import type { Exam } from "./timetable_day";

const texts = inLanguage({
  en: { exams: "Exams and other dates", due: "To hand in", exam: "Exam", homework: "Homework", other: "Other" },
  sv: { exams: "Prov och annat", due: "Att lämna in", exam: "Prov", homework: "Läxa", other: "Övrigt" },
});

interface Props {
  assignments: Resource<Schemas["WeekAssignments"]>;
  exams: Resource<Schemas["Exams"]>;
  today: Day;
}

/** The exams of a week, and what is to be handed in; what is both is an exam. */
export function DueList({ assignments, exams, today }: Props) {
  const shown = exams.data?.exams ?? [];
  const ids = new Set(shown.map(({ id }) => id));
  return (
    <div id="due" class="stack" tabIndex={-1}>
      {shown.length > 0 && (
        <Section title={texts.exams}>
          <ul class="rows">
            {shown.map((exam, index) => (
              <li key={`${exam.id}${index}`}>
                <ExamRow exam={exam} today={today} />
              </li>
            ))}
          </ul>
        </Section>
      )}
      <Section title={texts.due}>
        <Loaded resource={assignments} brief>
          {({ data }) => <AssignmentList assignments={data.filter(({ id }) => !ids.has(String(id)))} today={today} />}
        </Loaded>
      </Section>
    </div>
  );
}

function ExamRow({ exam, today }: { exam: Exam; today: Day }) {
  const time = exam.allDay ? "" : timeIn(exam.start);
  const content = (
    <>
      <div class="row-main">
        <p class="row-title">{exam.title || exam.subject}</p>
        <p class="row-text">{exam.title && exam.subject}</p>
      </div>
      <div class="row-side">
        <span class={`tag ${exam.kind === "exam" ? "tag-accent" : ""}`}>{texts[exam.kind]}</span>
        <time class="quiet small" dateTime={exam.start.replace(" ", "T")}>
          {dayFromToday(exam.start, today)} {time}
        </time>
      </div>
    </>
  );
  return exam.id === null ? (
    <div class="row">{content}</div>
  ) : (
    <a class="row" href={`/app/assignments/${exam.id}`}>
      {content}
    </a>
  );
}
