import { useRoute } from "preact-iso";
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import type { Schemas } from "../api/client";
import { inLanguage } from "../lib/language";
import { longDateInText, withoutMidnight } from "../lib/school_time";
import { ShareInChat } from "../live/share_in_chat";
import { ChildChooser, isChildKnown } from "../school/child_chooser";
import { inWords } from "../school/levels";
import { useAssignment } from "../school/resources";
import { who } from "../session/session";
import { Page } from "../shell/page";
import { Dialog } from "../ui/dialog";
import { Loaded } from "../ui/loaded";
import { RichHtml } from "../ui/rich_html";

const texts = inLanguage({
  en: {
    title: "Assignment",
    due: "To hand in",
    result: "Result",
    review: "What your teacher says",
    comment: "Comment",
    own: "Your comment",
    points: "Points",
    levels: "Levels",
    plannings: "Belongs to",
    noText: "There is no description.",
    share: "Share the result",
    shared: "Everybody there sees the assignment, and its letter and points if it has them, but not your teacher's words.",
  },
  sv: {
    title: "Uppgift",
    due: "Lämnas in",
    result: "Resultat",
    review: "Omdöme",
    comment: "Kommentar",
    own: "Din kommentar",
    points: "Poäng",
    levels: "Nivåer",
    plannings: "Hör till",
    noText: "Det finns ingen beskrivning.",
    share: "Dela resultatet",
    shared: "Alla där ser uppgiften, och bokstaven och poängen om den har sådana, men inte lärarens ord.",
  },
});

export default function AssignmentPage() {
  const { params, query } = useRoute();
  const type = query["type"] === "planning" ? "planning" : "assignment";
  if (isChildKnown()) return <OneAssignment number={params["id"] ?? ""} type={type} />;
  return (
    <Page title={texts.title} back="/app/">
      <ChildChooser />
    </Page>
  );
}

function OneAssignment({ number, type }: { number: string; type: "assignment" | "planning" }) {
  const resource = useAssignment(number, type);
  const fields = resource.data?.assignment;
  const subject = fields?.subjectRoomId ? `/app/subjects/${fields.subjectRoomId}` : "/app/";
  return (
    <Page title={fields?.title ?? texts.title} back={subject}>
      <ChildChooser />
      <Loaded resource={resource}>
        {({ assignment, assessment, connectedPlannings }) => (
          <>
            <p class="quiet">{[assignment.subjectNames, whenOf(assignment)].filter(Boolean).join(" · ")}</p>
            <div class="card">
              {assignment.description ? <RichHtml html={assignment.description} /> : <p class="quiet">{texts.noText}</p>}
            </div>
            <Result number={number} assessment={assessment} />
            <Plannings plannings={connectedPlannings} />
          </>
        )}
      </Loaded>
    </Page>
  );
}

/** Until when; only what is handed in says so. In the school's words, where it names no date. */
function whenOf({ endDate, endTime, submission, subTitle }: Schemas["AssignmentFields"]): string | null {
  if (!endDate) return subTitle && withoutMidnight(subTitle);
  const end = [longDateInText(endDate), endTime !== "00:00" && endTime].filter(Boolean).join(" ");
  return submission === "not_required" ? end : `${texts.due} ${end}`;
}

function Result({ number, assessment }: { number: string; assessment: Schemas["Assessment"] }) {
  const { review, teacherComment, studentComment, partialMoments, assessedCriteriaTabs } = assessment;
  const levels = assessedCriteriaTabs.flatMap((tab) =>
    (tab.assessedCriteria ?? []).flatMap((criterion) => {
      const { description, levelEnum } = (criterion as Schemas["Criterion"]).level ?? {};
      const level = description || levelEnum;
      return level ? [inWords(level)] : [];
    }),
  );
  const isEmpty = !review && !teacherComment && partialMoments.length === 0 && levels.length === 0;
  if (isEmpty) return null;
  return (
    <section class="card stack" aria-labelledby="result">
      <h2 id="result">{texts.result}</h2>
      {review && <Part title={texts.review}><RichHtml html={inWords(review)} /></Part>}
      {teacherComment && <Part title={texts.comment}><RichHtml html={teacherComment} /></Part>}
      {studentComment && <Part title={texts.own}><RichHtml html={studentComment} /></Part>}
      {levels.length > 0 && <Part title={texts.levels}><ul>{levels.map((each, index) => <li key={index}>{each}</li>)}</ul></Part>}
      {partialMoments.length > 0 && (
        <Part title={texts.points}>
          <ul>
            {partialMoments.map((each, index) => (
              <li key={index}>
                {each.name}: {each.points ?? "–"} / {each.max ?? "–"}
              </li>
            ))}
          </ul>
        </Part>
      )}
      {who.value?.role === "student" && <ShareResult number={number} />}
    </section>
  );
}

/** Of one's own results only: a child's are not the guardian's to share. */
function ShareResult({ number }: { number: string }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button type="button" class="button-quiet" onClick={() => setOpen(true)}>
        {texts.share}
      </button>
      {isOpen && (
        <Dialog title={texts.share} onClose={() => setOpen(false)}>
          <ShareInChat card={{ type: "grade", assignmentId: number }} about={texts.shared} />
        </Dialog>
      )}
    </>
  );
}

function Part({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <div>
      <h3>{title}</h3>
      {children}
    </div>
  );
}

function Plannings({ plannings }: { plannings: Schemas["ConnectedPlanning"][] }) {
  const known = plannings.filter((each) => each.planningId);
  if (known.length === 0) return null;
  return (
    <section class="stack" aria-labelledby="plannings">
      <h2 id="plannings">{texts.plannings}</h2>
      <ul class="rows">
        {known.map((each) => (
          <li key={each.id}>
            <a class="row" href={`/app/assignments/${each.planningId}?type=planning`}>
              <span class="row-main row-title">{each.title}</span>
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}
