import { useRoute } from "preact-iso";
import type { Schemas } from "../../api/client";
import { inLanguage } from "../../lib/language";
import { withoutMidnight } from "../../lib/school_time";
import { AttachmentList } from "../../school/attachment_list";
import { ChildChooser, isChildKnown } from "../../school/child_chooser";
import { usePlanning } from "../../school/resources";
import { Page } from "../../shell/page";
import { Loaded } from "../../ui/loaded";
import { Notice } from "../../ui/notice";
import { RichHtml } from "../../ui/rich_html";
import { Section } from "../../ui/section";

const texts = inLanguage({
  en: {
    title: "Planning",
    noText: "There is no description.",
    incomplete: "Not everything could be read from the school.",
    assignments: "Assignments",
    links: "Links",
  },
  sv: {
    title: "Planering",
    noText: "Det finns ingen beskrivning.",
    incomplete: "Allt kunde inte hämtas från skolan.",
    assignments: "Uppgifter",
    links: "Länkar",
  },
});

/** A part of a planning, with what belongs to it. */
export default function PlanningPage() {
  const { params } = useRoute();
  if (isChildKnown()) return <OnePlanning number={params["id"] ?? ""} />;
  return (
    <Page title={texts.title} back="/app/subjects">
      <ChildChooser />
    </Page>
  );
}

function OnePlanning({ number }: { number: string }) {
  const resource = usePlanning(number);
  return (
    <Page title={resource.data?.planning.title || texts.title} back="/app/subjects">
      <Loaded resource={resource}>
        {({ planning, incomplete }) => (
          <>
            {planning.subTitle && <p class="quiet">{withoutMidnight(planning.subTitle)}</p>}
            {incomplete.some((part) => part !== "planningId") && <Notice kind="warning">{texts.incomplete}</Notice>}
            <div class="card" dir="auto">
              {planning.html ? <RichHtml html={planning.html} /> : <p class="quiet">{texts.noText}</p>}
            </div>
            <Assignments assignments={planning.assignments} />
            <AttachmentList attachments={planning.files} />
            <Links links={planning.links} />
          </>
        )}
      </Loaded>
    </Page>
  );
}

function Assignments({ assignments }: { assignments: Schemas["PlannedAssignment"][] }) {
  if (assignments.length === 0) return null;
  return (
    <Section title={texts.assignments}>
      <ul class="rows">
        {assignments.map((each) => (
          <li key={each.id}>
            <a class="row" href={`/app/assignments/${each.id}`}>
              <span class={each.done ? "row-main row-title todo-done" : "row-main row-title"}>{each.title}</span>
            </a>
          </li>
        ))}
      </ul>
    </Section>
  );
}

function Links({ links }: { links: Schemas["PlanningLink"][] }) {
  if (links.length === 0) return null;
  return (
    <Section title={texts.links}>
      <ul class="rows">
        {links.map((each) => (
          <li key={each.url}>
            <a class="row" href={each.url} target="_blank" rel="noopener noreferrer">
              <span class="row-main row-title">{each.title}</span>
            </a>
          </li>
        ))}
      </ul>
    </Section>
  );
}
