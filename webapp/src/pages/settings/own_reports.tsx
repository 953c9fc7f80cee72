import { api, type Schemas } from "../../api/client";
import { good } from "../../api/errors";
import { inLanguage } from "../../lib/language";
import { whenOf } from "../../lib/school_time";
import { useResource } from "../../lib/use_resource";
import { Loaded } from "../../ui/loaded";

const texts = inLanguage({
  en: {
    title: "Your reports",
    types: {
      message: "A message",
      profile: "A person",
      group: "A group",
      note: "A note",
      invite: "An invite",
      friend_request: "A friend request",
    },
    reasons: {
      bullying: "bullying",
      threat: "a threat",
      sexual: "something sexual",
      spam: "spam",
      other: "something else",
    },
    open: "Staff have not answered yet",
    acted: "Staff did something about it",
    no_action: "Staff looked at it and did nothing",
    closed: "Closed",
  },
  sv: {
    title: "Dina anmälningar",
    types: {
      message: "Ett meddelande",
      profile: "En person",
      group: "En grupp",
      note: "En anteckning",
      invite: "En inbjudan",
      friend_request: "En vänförfrågan",
    },
    reasons: {
      bullying: "mobbning",
      threat: "ett hot",
      sexual: "något sexuellt",
      spam: "skräp",
      other: "något annat",
    },
    open: "Personalen har inte svarat än",
    acted: "Personalen har gjort något åt det",
    no_action: "Personalen har tittat på det och inte gjort något",
    closed: "Avslutad",
  },
});

type Report = Schemas["Report"];

/** What the person reported, and what became of it. Nothing when they reported nothing. */
export function OwnReports() {
  const resource = useResource("reports", async () => (await good(api.GET("/api/reports"))).reports);
  if (resource.data?.length === 0) return null;
  return (
    <section>
      <h2 class="section-head">{texts.title}</h2>
      <Loaded resource={resource}>
        {(reports) => (
          <ul class="rows">
            {reports.map((report) => (
              <li key={report.id} class="row">
                <div class="row-main">
                  <p class="row-title">
                    {texts.types[report.type]}: {texts.reasons[report.reason]}
                  </p>
                  <p class="quiet small">{outcomeOf(report)}</p>
                </div>
                <time class="quiet small" dateTime={new Date(report.createdAt).toISOString()}>
                  {whenOf(report.createdAt, Date.now())}
                </time>
              </li>
            ))}
          </ul>
        )}
      </Loaded>
    </section>
  );
}

function outcomeOf({ status, outcome }: Report): string {
  if (status === "open") return texts.open;
  return outcome ? texts[outcome] : texts.closed;
}
