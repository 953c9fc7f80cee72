import { useRoute } from "preact-iso";
import { inLanguage } from "../../lib/language";
import { longDateInText, longDateOf } from "../../lib/school_time";
import { AttachmentList } from "../../school/attachment_list";
import { ChildChooser, isChildKnown } from "../../school/child_chooser";
import { useArticle } from "../../school/resources";
import { AtSchool } from "../../school/rows_of_school";
import { Page } from "../../shell/page";
import { Loaded } from "../../ui/loaded";
import { Notice } from "../../ui/notice";
import { RichHtml } from "../../ui/rich_html";

const texts = inLanguage({
  en: {
    title: "News",
    noText: "The school wrote no text. See the files.",
    to: "For",
    until: (day: string) => `Shown until ${day}`,
    asks: (label: string) => `The school asks: “${label}”. Answer on the school's own page.`,
  },
  sv: {
    title: "Nyhet",
    noText: "Skolan har inte skrivit någon text. Se filerna.",
    to: "Till",
    until: (day: string) => `Visas till ${day}`,
    asks: (label: string) => `Skolan frågar: ”${label}”. Svara på skolans egen sida.`,
  },
});

export default function ArticlePage() {
  const { params, query } = useRoute();
  if (query["child"] || isChildKnown()) return <OneArticle number={params["id"] ?? ""} child={query["child"]} />;
  return (
    <Page title={texts.title} back="/app/news">
      <ChildChooser />
    </Page>
  );
}

function OneArticle({ number, child }: { number: string; child: string | undefined }) {
  const resource = useArticle(number, child);
  return (
    <Page title={resource.data?.article.title ?? texts.title} back="/app/news">
      <Loaded resource={resource}>
        {({ article }) => (
          <>
            <p class="quiet">
              {[
                article.publishedAt && longDateOf(article.publishedAt),
                article.author?.name,
                article.groups.length > 0 && `${texts.to} ${article.groups.join(", ")}`,
                article.visibleUntil && texts.until(longDateInText(article.visibleUntil)),
              ]
                .filter(Boolean)
                .join(" · ")}
            </p>
            <div class="card" dir="auto">
              {article.html ? <RichHtml html={article.html} /> : <p class="quiet">{texts.noText}</p>}
            </div>
            {article.question && <Notice>{texts.asks(article.question.label)}</Notice>}
            <AttachmentList attachments={article.attachments} />
          </>
        )}
      </Loaded>
      <AtSchool page="news" />
    </Page>
  );
}
