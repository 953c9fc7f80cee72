import type { Schemas } from "../api/client";
import { inLanguage } from "../lib/language";
import { dayFromToday, type Day } from "../lib/school_time";

const texts = inLanguage({ en: { none: "There is no news." }, sv: { none: "Det finns inga nyheter." } });

const SHOWN = 3;

/** The newest articles of the school. */
export function NewestNews({ articles, today }: { articles: Schemas["ListedArticle"][]; today: Day }) {
  if (articles.length === 0) return <p class="quiet">{texts.none}</p>;
  return (
    <ul class="rows">
      {articles.slice(0, SHOWN).map((each) => (
        <li key={each.id}>
          <a class="row" href={`/app/news/${each.id}`}>
            <span class="row-main row-title" dir="auto">
              {each.title}
            </span>
            {each.publishedAt && <span class="quiet small">{dayFromToday(each.publishedAt, today)}</span>}
          </a>
        </li>
      ))}
    </ul>
  );
}
