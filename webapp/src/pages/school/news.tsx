import { useState } from "preact/hooks";
import type { Schemas } from "../../api/client";
import { inLanguage } from "../../lib/language";
import { longDateOf } from "../../lib/school_time";
import { ChildChooser, isChildKnown } from "../../school/child_chooser";
import { useArticles, useNews } from "../../school/resources";
import { who } from "../../session/session";
import { Page } from "../../shell/page";
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
      <ChildChooser />
      {isChildKnown() && (who.value?.role === "teacher" ? <StartPageNews /> : <Articles />)}
    </Page>
  );
}

function Articles() {
  const [kind, setKind] = useState<Kind>("current");
  const articles = useArticles(kind);
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
        {({ articles: rows }) =>
          rows.length === 0 ? (
            <p class="empty">{kind === "older" ? texts.noneOlder : texts.none}</p>
          ) : (
            byDate(rows).map(([date, group]) => (
              <section key={date} class="stack" aria-label={dateName(date)}>
                <h2 class="quiet">{dateName(date)}</h2>
                <ul class="stack">
                  {group.map((article) => (
                    <li key={article.id}>
                      <ArticleCard article={article} />
                    </li>
                  ))}
                </ul>
              </section>
            ))
          )
        }
      </Loaded>
    </>
  );
}

function ArticleCard({ article }: { article: Article }) {
  return (
    <a class="card article-card" href={`/app/news/${article.id}`}>
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
function byDate(articles: Article[]): [date: string, articles: Article[]][] {
  const groups = new Map<string, Article[]>();
  for (const article of articles) {
    const date = article.publishedAt ?? "";
    groups.set(date, [...(groups.get(date) ?? []), article]);
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
