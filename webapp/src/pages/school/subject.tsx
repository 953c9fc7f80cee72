import { useRoute } from "preact-iso";
import type { Schemas } from "../../api/client";
import { inLanguage } from "../../lib/language";
import { dayFromToday, dayOf, withoutMidnight } from "../../lib/school_time";
import { ChildChooser, isChildKnown } from "../../school/child_chooser";
import { useSubject } from "../../school/resources";
import { who } from "../../session/session";
import { Page } from "../../shell/page";
import { Loaded } from "../../ui/loaded";

const texts = inLanguage({
  en: { title: "Subject", exams: "Tests", handIns: "To hand in", plannings: "Plannings", all: "All assignments", none: "Nothing yet." },
  sv: { title: "Ämne", exams: "Prov", handIns: "Att lämna in", plannings: "Planeringar", all: "Alla uppgifter", none: "Inget än." },
});

export default function Subject() {
  const { params } = useRoute();
  return isChildKnown() ? (
    <SubjectPage room={params["id"] ?? ""} />
  ) : (
    <Page title={texts.title} back="/app/subjects">
      <ChildChooser />
    </Page>
  );
}

function SubjectPage({ room }: { room: string }) {
  const subject = useSubject(room);
  return (
    <Page title={subject.data?.subject.subject ?? texts.title} back="/app/subjects">
      <ChildChooser />
      <Loaded resource={subject}>
        {({ overview, assignments }) => (
          <>
            <Rows title={texts.exams} rows={overview.examinations} />
            <Rows title={texts.handIns} rows={overview.submissions} />
            {plannings(assignments).length > 0 && <Rows title={texts.plannings} rows={plannings(assignments)} />}
            <Rows title={texts.all} rows={assignments.filter((row) => row.entityType !== "PLANNING")} />
          </>
        )}
      </Loaded>
    </Page>
  );
}

type Row = Pick<Schemas["RoomRow"], "id" | "title" | "subTitle" | "endDate" | "type" | "entityType" | "partId">;

const plannings = (rows: Row[]): Row[] => rows.filter((row) => row.entityType === "PLANNING");

/**
 * A part of a planning has a page of its own. Schools that name no part have the planning as a whole, and
 * so have teachers, to whom the service does not show parts.
 */
function addressOf({ entityType, partId, id }: Row): string {
  if (entityType !== "PLANNING") return `/app/assignments/${id}`;
  return partId && who.value?.role !== "teacher" ? `/app/plannings/${partId}` : `/app/assignments/${id}?type=planning`;
}

function Rows({ title, rows }: { title: string; rows: Row[] }) {
  const today = dayOf(Date.now());
  return (
    <section class="stack">
      <h2>{title}</h2>
      {rows.length === 0 ? (
        <p class="quiet">{texts.none}</p>
      ) : (
        <ul class="rows">
          {rows.map((row) => (
            <li key={addressOf(row)}>
              <a class="row" href={addressOf(row)}>
                <div class="row-main">
                  <p class="row-title">{row.title}</p>
                  <p class="quiet small">{row.type ?? withoutMidnight(row.subTitle ?? "")}</p>
                </div>
                {row.endDate && <span class="quiet small">{dayFromToday(row.endDate, today)}</span>}
              </a>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
