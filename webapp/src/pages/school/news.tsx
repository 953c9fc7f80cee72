import type { Schemas } from "../../api/client";
import { inLanguage } from "../../lib/language";
import { longDateOf } from "../../lib/school_time";
import { lacksChild, NoChild } from "../../school/child_chooser";
import { childQuery, newestFirst, type Row } from "../../school/each_child";
import { useArticlesOfEach, useNews } from "../../school/resources";
import { AtSchool, Missing, Searched, Whose } from "../../school/rows_of_school";
import { who } from "../../session/session";
import { Page } from "../../shell/page";
import { useKeptState } from "../../shell/way_back";
import { Icon } from "../../ui/icon";
import { Loaded } from "../../ui/loaded";

const texts = inLanguage({
  en: {
    title: "News from school",
    none: "There is no news.",
    noneOlder: "There is no older news.",
    undated: "Without a date",
    current: "Current",
    older: "Older",
    kinds: "Which news",
    files: "With files",
  },
  sv: {
    title: "Nytt från skolan",
    none: "Det finns inga nyheter.",
    noneOlder: "Det finns inga äldre nyheter.",
    undated: "Utan datum",
    current: "Aktuella",
    older: "Äldre",
    kinds: "Vilka nyheter",
    files: "Med filer",
  },
});

type Article = Schemas["ListedArticle"];
type Kind = "current" | "older";

export default function News() {
  return (
    <Page title={texts.title} back="/app/more">
      {lacksChild() ? <NoChild /> : who.value?.role === "teacher" ? <StartPageNews /> : <Articles />}
      <AtSchool page="news" />
    </Page>
  );
}

function Articles() {
  const [kind, setKind] = useKeptState<Kind>("kind", "current");
  const articles = useArticlesOfEach(kind);
  return (
    <>
      <div class="filter button-row" role="group" aria-label={texts.kinds}>
        {(["current", "older"] as const).map((each) => (
          <button type="button" key={each} class="button-quiet" aria-pressed={kind === each} onClick={() => setKind(each)}>
            {texts[each]}
          </button>
        ))}
      </div>
      <Loaded resource={articles}>
        {({ parts, missing }) => {
          const lists = parts.map(({ asked, data }) => ({ asked, items: data.articles }));
          const rows = newestFirst(lists, (article) => article.publishedAt);
          return (
            <>
              <Missing missing={missing} />
              {rows.length === 0 ? (
                <p class="empty">{kind === "older" ? texts.noneOlder : texts.none}</p>
              ) : (
                <Searched rows={rows} wordsOf={wordsOf}>
                  {(found) => byDate(found).map(([date, group]) => <Day key={date} date={date} group={group} />)}
                </Searched>
              )}
            </>
          );
        }}
      </Loaded>
    </>
  );
}

const wordsOf = ({ title, preview, category, author }: Article): string => [title, preview, category, author?.name].join(" ");

function Day({ date, group }: { date: string; group: Row<Article>[] }) {
  return (
    <section class="stack" aria-label={dateName(date)}>
      <h2 class="quiet">{dateName(date)}</h2>
      <ul class="stack">
        {group.map((row) => (
          <li key={row.item.id}>
            <ArticleCard row={row} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function ArticleCard({ row }: { row: Row<Article> }) {
  const article = row.item;
  return (
    <a class="card article-card" href={`/app/news/${article.id}${childQuery(row)}`}>
      <Whose row={row} />
      {article.category && <span class="tag">{article.category}</span>}
      <strong dir="auto">{article.title}</strong>
      {article.preview && <span dir="auto">{article.preview}</span>}
      <span class="quiet">
        {article.author?.name}
        {article.hasAttachments && <><Icon name="attach" /> {texts.files}</>}
      </span>
    </a>
  );
}

/** In the order of the list, which is the newest first. */
function byDate(rows: Row<Article>[]): [date: string, rows: Row<Article>[]][] {
  const groups = new Map<string, Row<Article>[]>();
  for (const row of rows) {
    const date = row.item.publishedAt ?? "";
    groups.set(date, [...(groups.get(date) ?? []), row]);
  }
  return [...groups];
}

const dateName = (date: string): string => (date ? longDateOf(date) : texts.undated);

/** What a teacher has: nobody has seen their news page. */
function StartPageNews() {
  const news = useNews();
  return (
    <Loaded resource={news}>
      {({ data }) =>
        data.length === 0 ? (
          <p class="empty">{texts.none}</p>
        ) : (
          <ul class="stack">
            {data.map((item, index) => (
              <li key={item.id ?? index} class="card">
                {item.category && <p class="tag">{item.category}</p>}
                <h2>{item.title}</h2>
                {item.preview && <p>{item.preview}</p>}
              </li>
            ))}
          </ul>
        )
      }
    </Loaded>
  );
}
