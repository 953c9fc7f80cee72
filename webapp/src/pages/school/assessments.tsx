import { inLanguage } from "../../lib/language";
import { longDateOf } from "../../lib/school_time";
import { ChildChooser, isChildKnown } from "../../school/child_chooser";
import { useAssessments } from "../../school/resources";
import { Page } from "../../shell/page";
import { Loaded } from "../../ui/loaded";
import { Notice } from "../../ui/notice";
import { RichHtml } from "../../ui/rich_html";
import { Section } from "../../ui/section";

const texts = inLanguage({
  en: {
    title: "Written assessments",
    none: "The school has published no assessments.",
    plan: "Action plan",
    unread: "New",
    warning: "Warning from the school",
    incomplete: "A part of this page cannot be read now.",
  },
  sv: {
    title: "Omdömen",
    none: "Skolan har inte publicerat några omdömen.",
    plan: "Åtgärdsprogram",
    unread: "Ny",
    warning: "Varning från skolan",
    incomplete: "En del av sidan går inte att läsa just nu.",
  },
});

export default function AssessmentsPage() {
  return (
    <Page title={texts.title} back="/app/results">
      <ChildChooser />
      {isChildKnown() && <Assessments />}
    </Page>
  );
}

function Assessments() {
  const resource = useAssessments();
  return (
    <Loaded resource={resource}>
      {({ actionPlan, assessments, incomplete }) => (
        <>
          {incomplete.some((part) => part !== "code") && <Notice kind="warning">{texts.incomplete}</Notice>}
          {actionPlan && (
            <Section title={actionPlan.title || texts.plan}>
              <div class="card" dir="auto">
                <RichHtml html={actionPlan.html} />
              </div>
            </Section>
          )}
          {assessments.length === 0 && <p class="empty">{texts.none}</p>}
          <ul class="stack">
            {assessments.map((each) => (
              <li key={each.id}>
                <a class="card article-card" href={`/app/assessments/${each.id}`}>
                  {each.warning && <span class="tag tag-warn">{texts.warning}</span>}
                  {each.unread && <span class="tag tag-accent">{texts.unread}</span>}
                  <strong dir="auto">{each.subject}</strong>
                  <span dir="auto">{each.text}</span>
                  {each.publishedAt && <span class="quiet">{longDateOf(each.publishedAt)}</span>}
                </a>
              </li>
            ))}
          </ul>
        </>
      )}
    </Loaded>
  );
}
