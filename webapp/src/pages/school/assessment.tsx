import { useRoute } from "preact-iso";
import type { Schemas } from "../../api/client";
import { inLanguage } from "../../lib/language";
import { longDateInText } from "../../lib/school_time";
import { ChildChooser, isChildKnown } from "../../school/child_chooser";
import { useAssessment } from "../../school/resources";
import { Page } from "../../shell/page";
import { Loaded } from "../../ui/loaded";
import { Notice } from "../../ui/notice";
import { RichHtml } from "../../ui/rich_html";
import { Section } from "../../ui/section";

const texts = inLanguage({
  en: {
    title: "Written assessment",
    warning: "Warning from the school",
    updated: (day: string) => `Changed ${day}`,
    measures: "Support",
    comments: "Comments of teachers",
    work: "What it is based on",
    history: "Terms",
    now: "this assessment",
    incomplete: "A part of this page cannot be read now.",
  },
  sv: {
    title: "Omdöme",
    warning: "Varning från skolan",
    updated: (day: string) => `Ändrad ${day}`,
    measures: "Stöd",
    comments: "Lärarnas kommentarer",
    work: "Det bygger på",
    history: "Terminer",
    now: "det här omdömet",
    incomplete: "En del av sidan går inte att läsa just nu.",
  },
});

type Assessment = Schemas["WholeAssessment"];

export default function AssessmentPage() {
  const { params } = useRoute();
  if (isChildKnown()) return <OneAssessment number={params["id"] ?? ""} />;
  return (
    <Page title={texts.title} back="/app/assessments">
      <ChildChooser />
    </Page>
  );
}

function OneAssessment({ number }: { number: string }) {
  const resource = useAssessment(number);
  return (
    <Page title={resource.data?.assessment.subject || texts.title} back="/app/assessments">
      <Loaded resource={resource}>
        {({ assessment, incomplete }) => (
          <>
            {incomplete.length > 0 && <Notice kind="warning">{texts.incomplete}</Notice>}
            <div class="card assessment-text" dir="auto">
              {assessment.group && <p class="quiet">{assessment.group}</p>}
              <p class="written">{assessment.text}</p>
            </div>
            <Warning warning={assessment.warning} />
            {assessment.supportMeasures && (
              <Section title={texts.measures}>
                <div class="card" dir="auto">
                  <RichHtml html={assessment.supportMeasures} />
                </div>
              </Section>
            )}
            {assessment.comments.length > 0 && (
              <Section title={texts.comments}>
                <div class="stack">
                  {assessment.comments.map((html, index) => (
                    <div key={index} class="card" dir="auto">
                      <RichHtml html={html} />
                    </div>
                  ))}
                </div>
              </Section>
            )}
            <Work work={assessment.work} />
            <History history={assessment.history} />
          </>
        )}
      </Loaded>
    </Page>
  );
}

function Warning({ warning }: { warning: Assessment["warning"] }) {
  if (!warning) return null;
  return (
    <Section title={texts.warning}>
      <div class="card" dir="auto">
        <p class="written">{warning.text}</p>
        {warning.updatedAt && <p class="quiet">{texts.updated(longDateInText(warning.updatedAt))}</p>}
      </div>
    </Section>
  );
}

function Work({ work }: { work: Assessment["work"] }) {
  if (work.length === 0) return null;
  return (
    <Section title={texts.work}>
      <ul class="stack">
        {work.map((each, index) => (
          <li key={index} class="card result-card">
            <h3 dir="auto">
              {each.assignmentId ? <a href={`/app/assignments/${each.assignmentId}`}>{each.title}</a> : each.title}
            </h3>
            <p class="quiet">{each.type}</p>
            {(each.review || each.points) && (
              <p class="result-review">
                {each.review && <strong dir="auto">{each.review}</strong>}
                {each.points && <span>{each.points}</span>}
              </p>
            )}
            {each.comment && (
              <p class="written" dir="auto">
                {each.comment}
              </p>
            )}
          </li>
        ))}
      </ul>
    </Section>
  );
}

function History({ history }: { history: Assessment["history"] }) {
  const terms = history.filter((each) => each.term);
  if (terms.length === 0) return null;
  return (
    <Section title={texts.history}>
      <ul class="card">
        {terms.map((each, index) => (
          <li key={index}>
            {each.term}
            {each.current && <span class="quiet"> ({texts.now})</span>}
          </li>
        ))}
      </ul>
    </Section>
  );
}
