import { useEffect, useState } from "preact/hooks";
import { inLanguage, locale } from "../../lib/language";
import { longDateOf } from "../../lib/school_time";
import { chooseChild } from "../../school/child";
import { lacksChild, NoChild } from "../../school/child_chooser";
import { inWords } from "../../school/levels";
import { readResults, useResults, type Result, type Results, type Source } from "../../school/results";
import { Page } from "../../shell/page";
import { useKeptState } from "../../shell/way_back";
import { Loaded } from "../../ui/loaded";
import { Notice } from "../../ui/notice";
import { useAction } from "../../ui/use_action";

const texts = inLanguage({
  en: {
    title: "Results",
    none: "The school has published no results.",
    orders: "Order of the results",
    date: "By date",
    subject: "By subject",
    assessments: "Written assessments",
    undated: "Without a date",
    noSubject: "Without a subject",
    untitled: "Without a title",
    unread: "New",
    review: "Result",
    points: (got: string, max: string) => `${got} of ${max} points`,
    levels: "Levels",
    comment: "Comment",
    incomplete: "What the teacher said cannot be read now.",
    nothing: "The teacher has said nothing about it.",
    failed: (name: string, why: string) => `${name}: ${why}`,
    more: "Show more",
  },
  sv: {
    title: "Resultat",
    none: "Skolan har inte publicerat några resultat.",
    orders: "Resultatens ordning",
    date: "Efter datum",
    subject: "Efter ämne",
    assessments: "Omdömen",
    undated: "Utan datum",
    noSubject: "Utan ämne",
    untitled: "Utan rubrik",
    unread: "Ny",
    review: "Resultat",
    points: (got: string, max: string) => `${got} av ${max} poäng`,
    levels: "Nivåer",
    comment: "Kommentar",
    incomplete: "Det läraren skrev går inte att läsa just nu.",
    nothing: "Läraren har inte skrivit något om det.",
    failed: (name: string, why: string) => `${name}: ${why}`,
    more: "Visa fler",
  },
});

type Order = "date" | "subject";

export default function ResultsPage() {
  const resource = useResults();
  return (
    <Page title={texts.title} back="/app/more">
      <p>
        <a class="link-alone" href="/app/assessments">{texts.assessments}</a>
      </p>
      {lacksChild() ? <NoChild /> : <Loaded resource={resource}>{(first) => <Sorted first={first} />}</Loaded>}
    </Page>
  );
}

function Sorted({ first }: { first: Results }) {
  const [order, setOrder] = useKeptState<Order>("order", "date");
  const [later, setLater] = useState<Source[]>([]);
  const { isRunning, error, run } = useAction();
  useEffect(() => setLater([]), [first]);
  const pages = [...first.sources, ...later];
  const results = pages.flatMap((page) => page.results).sort(newestFirst);
  const open = first.sources
    .map((source) => later.findLast((page) => page.child?.id === source.child?.id) ?? source)
    .filter((page) => page.next !== null);
  const readMore = () =>
    run(async () => {
      const read = await Promise.all(open.map((page) => readResults(page.child, page.next ?? undefined)));
      setLater([...later, ...read]);
    });
  return (
    <>
      {first.sources.map(
        (source) =>
          source.error && (
            <Notice key={source.child?.id} kind="warning">
              {texts.failed(source.child?.name ?? "", source.error)}
            </Notice>
          ),
      )}
      <div class="filter button-row" role="group" aria-label={texts.orders}>
        {(["date", "subject"] as const).map((each) => (
          <button type="button" key={each} class="button-quiet" aria-pressed={order === each} onClick={() => setOrder(each)}>
            {texts[each]}
          </button>
        ))}
      </div>
      {results.length === 0 && <p class="empty">{texts.none}</p>}
      {groupsOf(results, order).map(([name, group]) => (
        <section key={name} class="stack" aria-label={name}>
          <h2 class="quiet">{name}</h2>
          <ul class="stack">
            {group.map((result) => (
              <li key={`${result.child?.id} ${result.assignmentId}`}>
                <ResultCard result={result} order={order} />
              </li>
            ))}
          </ul>
        </section>
      ))}
      {error && <Notice kind="error">{error.message}</Notice>}
      {open.length > 0 && (
        <button type="button" class="button-quiet" disabled={isRunning} onClick={() => void readMore()}>
          {texts.more}
        </button>
      )}
    </>
  );
}

function ResultCard({ result, order }: { result: Result; order: Order }) {
  const { child, subject, type, review, points, levels, comment } = result;
  const about = order === "date" ? [subject, type] : [type, dateName(result)];
  return (
    <article class="card result-card">
      <div class="result-head">
        {child && <span class="tag">{child.name}</span>}
        {result.unread && <span class="tag tag-accent">{texts.unread}</span>}
      </div>
      <h3 dir="auto">
        <a href={`/app/assignments/${result.assignmentId}`} onClick={() => child && chooseChild(child.id)}>
          {result.title || texts.untitled}
        </a>
      </h3>
      <p class="quiet">{about.filter(Boolean).join(" · ")}</p>
      {(review !== null || points !== null) && (
        <p class="result-review">
          <span class="visually-hidden">{texts.review}: </span>
          {review !== null && (
            <strong class={result.letter ? "result-letter" : "written"} dir="auto">
              {inWords(review)}
            </strong>
          )}
          {points && <span>{texts.points(points.got.toLocaleString(locale), points.max.toLocaleString(locale))}</span>}
        </p>
      )}
      {levels.length > 0 && (
        <ul class="result-levels" aria-label={texts.levels}>
          {levels.map((level, index) => (
            <li key={index}>
              {level.criterion && <span class="quiet">{level.criterion}: </span>}
              <strong dir="auto">{inWords(level.level)}</strong>
            </li>
          ))}
        </ul>
      )}
      {comment !== null && (
        <p class="written" dir="auto">
          <span class="visually-hidden">{texts.comment}: </span>
          {comment}
        </p>
      )}
      {isEmpty(result) && <p class="quiet">{result.isIncomplete ? texts.incomplete : texts.nothing}</p>}
    </article>
  );
}

const isEmpty = ({ review, points, levels, comment }: Result): boolean =>
  review === null && points === null && levels.length === 0 && comment === null;

/** By date in the order of the results, by subject in that of the alphabet. */
function groupsOf(results: Result[], order: Order): [name: string, results: Result[]][] {
  const groups = new Map<string, Result[]>();
  for (const result of results) {
    const name = order === "date" ? dateName(result) : result.subject ?? texts.noSubject;
    groups.set(name, [...(groups.get(name) ?? []), result]);
  }
  const named = [...groups];
  return order === "date" ? named : named.sort(([one], [other]) => one.localeCompare(other, locale));
}

/** Those without a date come last; the sort keeps the school's order among equals. */
const newestFirst = (one: Result, other: Result): number =>
  (other.publishedAt ?? "").slice(0, 10).localeCompare((one.publishedAt ?? "").slice(0, 10));

const dateName = ({ publishedAt }: Result): string => (publishedAt === null ? texts.undated : longDateOf(publishedAt));
