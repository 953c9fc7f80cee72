import { useRoute } from "preact-iso";
import { inLanguage } from "../../lib/language";
import { AttachmentList } from "../../school/attachment_list";
import { ChildChooser, isChildKnown } from "../../school/child_chooser";
import { dateOfMessage } from "../../school/message_date";
import { useInboxMessage } from "../../school/resources";
import { AtSchool } from "../../school/rows_of_school";
import { Page } from "../../shell/page";
import { Loaded } from "../../ui/loaded";
import { RichHtml } from "../../ui/rich_html";

const texts = inLanguage({
  en: {
    title: "Message",
    noSubject: "No subject",
    noText: "The message has no text.",
    to: (names: string[], others: number) =>
      `To ${[...names, ...(others > 0 ? [`${others} ${others === 1 ? "other" : "others"}`] : [])].join(", ")}`,
    answer: "Answer on the school's own page.",
  },
  sv: {
    title: "Meddelande",
    noSubject: "Inget ämne",
    noText: "Meddelandet har ingen text.",
    to: (names: string[], others: number) =>
      `Till ${[...names, ...(others > 0 ? [`${others} ${others === 1 ? "annan" : "andra"}`] : [])].join(", ")}`,
    answer: "Svara på skolans egen sida.",
  },
});

export default function InboxMessagePage() {
  const { params, query } = useRoute();
  if (query["child"] || isChildKnown()) return <OneMessage number={params["id"] ?? ""} child={query["child"]} />;
  return (
    <Page title={texts.title} back="/app/inbox">
      <ChildChooser />
    </Page>
  );
}

function OneMessage({ number, child }: { number: string; child: string | undefined }) {
  const resource = useInboxMessage(number, child);
  const subject = resource.data && (resource.data.message.subject || texts.noSubject);
  return (
    <Page title={subject ?? texts.title} back="/app/inbox">
      <Loaded resource={resource}>
        {({ message }) => (
          <>
            <p class="quiet">
              {[
                message.from.name,
                message.date && dateOfMessage(message.date),
                message.to.length + message.hiddenRecipients > 0 && texts.to(message.to, message.hiddenRecipients),
              ]
                .filter(Boolean)
                .join(" · ")}
            </p>
            <div class="card" dir="auto">
              {message.html ? <RichHtml html={message.html} /> : <p class="quiet">{texts.noText}</p>}
            </div>
            <AttachmentList attachments={message.attachments} />
            <p class="quiet">{texts.answer}</p>
          </>
        )}
      </Loaded>
      <AtSchool page="inbox" />
    </Page>
  );
}
