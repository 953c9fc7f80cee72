import type { Schemas } from "../api/client";
import { inLanguage } from "../lib/language";
import { dayFromToday, dueTimeIn, type Day } from "../lib/school_time";

const texts = inLanguage({
  en: {
    none: "Nothing is due.",
    submitted: "Handed in",
    late: "Late",
    result: "Result is there",
    unread: "New",
  },
  sv: {
    none: "Inget just nu.",
    submitted: "Inlämnad",
    late: "Försenad",
    result: "Resultat finns",
    unread: "Ny",
  },
});

export type WeekAssignment = Schemas["WeekAssignment"];

/** "mån 16 nov. 00:00 - lör 28 nov. 08:20, Prov, Bild" → "Prov · Bild". */
export function aboutAssignment(subTitle: string | null | undefined): string {
  return (subTitle ?? "").split(",").slice(1).map((part) => part.trim()).filter(Boolean).join(" · ");
}

/** As the school sends it; empty where it names no time. */
export const dueOf = ({ sortDate }: WeekAssignment): string => String(sortDate ?? "");

/** What is due first comes first. */
export function AssignmentList({ assignments, today }: { assignments: WeekAssignment[]; today: Day }) {
  if (assignments.length === 0) return <p class="quiet">{texts.none}</p>;
  return (
    <ul class="rows">
      {assignments.toSorted((one, other) => dueOf(one).localeCompare(dueOf(other))).map((each) => (
        <li key={each.id}>
          <a class="row" href={`/app/assignments/${each.id}`}>
            <div class="row-main">
              <p class="row-title">{each.title}</p>
              {aboutAssignment(each.subTitle) && <p class="row-text">{aboutAssignment(each.subTitle)}</p>}
            </div>
            <div class="row-side">
              <Status assignment={each} />
              {each.sortDate && (
                <time class="quiet small" dateTime={dueOf(each).replace(" ", "T")}>
                  {dayFromToday(dueOf(each), today)} {dueTimeIn(dueOf(each))}
                </time>
              )}
            </div>
          </a>
        </li>
      ))}
    </ul>
  );
}

function Status({ assignment }: { assignment: WeekAssignment }) {
  if (assignment.resultReportStatus === "PUBLISHED") return <span class="tag tag-good">{texts.result}</span>;
  if (assignment.submission === "late") return <span class="tag tag-warn">{texts.late}</span>;
  if (assignment.submission === "submitted") return <span class="tag tag-good">{texts.submitted}</span>;
  return assignment.read === false ? <span class="tag tag-accent">{texts.unread}</span> : null;
}
