import type { Schemas } from "../api/client";
import { inLanguage } from "../lib/language";
import { dayFromToday, dueTimeIn, type Day } from "../lib/school_time";
import { areSettled, type Resource } from "../lib/use_resource";
import { Loaded } from "../ui/loaded";
import { Section } from "../ui/section";
import { AssignmentList } from "./assignment_list";
import { dateOfExam, withoutAssignments, withoutExams, type Exam } from "./exams";

const texts = inLanguage({
  en: { exams: "Exams and other dates", due: "To hand in", exam: "Exam", homework: "Homework", other: "Other" },
  sv: { exams: "Prov och annat", due: "Att lämna in", exam: "Prov", homework: "Läxa", other: "Övrigt" },
});

interface Props {
  assignments: Resource<Schemas["WeekAssignments"]>;
  exams: Resource<Schemas["Exams"]>;
  today: Day;
}

/** The exams of a week, and what is to be handed in; what is both is an exam, other work is to be handed in. */
export function DueList({ assignments, exams, today }: Props) {
  const known = exams.data?.exams ?? [];
  // Until the assignments are there, only exams surely stay here.
  const shown = areSettled(assignments)
    ? withoutAssignments(known, assignments.data?.data ?? [])
    : known.filter(({ kind }) => kind === "exam");
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
          {({ data }) => <AssignmentList assignments={withoutExams(data, known)} today={today} />}
        </Loaded>
      </Section>
    </div>
  );
}

function ExamRow({ exam, today }: { exam: Exam; today: Day }) {
  const date = dateOfExam(exam);
  const time = exam.allDay ? "" : dueTimeIn(date);
  const content = (
    <>
      <div class="row-main">
        <p class="row-title">{exam.title || exam.subject}</p>
        <p class="row-text">{exam.title && exam.subject}</p>
      </div>
      <div class="row-side">
        <span class={`tag ${exam.kind === "exam" ? "tag-accent" : ""}`}>{texts[exam.kind]}</span>
        <time class="quiet small" dateTime={date.replace(" ", "T")}>
          {dayFromToday(date, today)} {time}
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
