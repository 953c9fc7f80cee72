"""The news of a school, and the news page: the accordion, the archive, or one item."""

from dataclasses import dataclass
from datetime import date, timedelta
from functools import lru_cache
from itertools import groupby
from random import Random

from upstream.simulator import dates, page_frame
from upstream.simulator.access import jsp_page
from upstream.simulator.http_exchange import Request, Response
from upstream.simulator.people import Person
from upstream.simulator.state import State

_CATEGORIES = ("", "Skolledningen", "Elevrådet & föreningar", "Biblioteket")
# Title and teaser, with entities, blanks and letters between 0x80 and 0x9F.
_TEXTS = [
    ("Studiedag fredag&nbsp;20 mars", "Skolan &auml;r st&auml;ngd f&ouml;r eleverna &hellip;"),
    ("Veckobrev v 12 – vår & värme", "Hej alla … här kommer veckans brev"),
    ("Fotografering  i  aulan", "Ta med 50 € och ett leende ’skolfoto’"),
    (
        "L&auml;xhj&auml;lp p&aring; torsdagar",
        "Biblioteket kl&nbsp;15&ndash;17. Alla f&aring;r komma!",
    ),
    ("Nationella prov i åk 8 & 9", "Schemat bryts tisdag&ndash;torsdag"),
    ("Öppet hus", "Välkomna! &lt;anmäl er i receptionen&gt;"),
    ("Elevr&aring;det s&ouml;ker ledam&ouml;ter", "F&ouml;r klass 7&ndash;9"),
    ("Skolbio: ”Min vän Åke”", "Filmen b&ouml;rjar 09:15, samling 8.50"),
]
_AUTHORS = ("Åsa Lindroos (P)", "Torbjörn Ekvik (P)", "Rektor Görel Wästlund")
_FIRST_ID = 51200


@dataclass(frozen=True, slots=True)
class NewsItem:
    """One item. Title and teaser are HTML; `category` may be empty."""

    id: int
    title: str
    teaser: str
    category: str
    author: str
    published: date


@lru_cache(maxsize=64)
def news_of(school: str, count: int, today: date) -> list[NewsItem]:
    """Newest first, grouped by category; the first group has no category."""
    rng = Random(f"{school}/news")  # noqa: S311 - repeatable, not secret
    news = []
    for number in range(count):
        title, teaser = _TEXTS[number % len(_TEXTS)]
        round_number = number // len(_TEXTS)
        news.append(
            NewsItem(
                id=_FIRST_ID + 7 * (count - number),
                title=f"{title} ({round_number + 1})" if round_number else title,
                teaser=teaser,
                category=_CATEGORIES[number * len(_CATEGORIES) // count],
                author=rng.choice(_AUTHORS),
                published=today - timedelta(days=2 + 3 * number),
            )
        )
    return news


_LABELS = ("Från", "Till", "Publicerad", "Visa till")


def accordion(news: list[NewsItem], kind: int = 1) -> str:
    """News as an accordion, grouped under headings. `id="accordion"` is repeated."""
    parts = []
    for category, group in groupby(news, key=lambda item: item.category):
        if category:
            parts.append(f'<div class="h3_bold">{category}</div>')
        items = "\n".join(_item(item, kind) for item in group)
        parts.append(f'<div class="accordion" id="accordion">\n{items}\n</div>')
    return "\n".join(parts)


def _item(item: NewsItem, kind: int = 1) -> str:
    """One item. The text is there even if the item is closed."""
    n = item.id
    return f"""<div id="accordion-group{n}" class="accordion-group">
 <div id="accordion-heading{n}" class="accordion-heading">\
<a class="accordion-toggle" href="#collapse{n}">
{_heading(item)}</a></div>
 <div id="collapse{n}" class="accordion-body collapse"><div class="accordion-inner">
  <div class="accordion_inner_left">{_text(item)}</div>
  <form id="formtable" method="post" \
action="right_student_news.jsp?action=update&requestid={n}&type={kind}"></form>
  <div class="accordion_inner_right"><div class="inner_right_info">{_facts(item)}
   <div id='fileAttach{n}'><a href="right_student_file_download.jsp?requestid1={n}\
&requestid2={kind}&object=news&fileid=7741" title="Veckobrev v12.pdf">Veckobr...pdf</a>
   (141&nbsp;KB)</div></div></div>
 </div></div></div>"""


def _heading(item: NewsItem) -> str:
    """A left and a right half; every third item has no halves."""
    name = f"<span id='name{item.id}'>{item.title}</span>"
    preview = f'<div class="preview-block">{item.teaser}</div>'
    day = dates.in_lists(item.published)
    if item.id % 3 == 0:
        return f'{name}<div class="accordion-heading-date">{day}</div>{preview}'
    return f"""   <div class="accordion-heading-left">{name}{preview}</div>
   <div class="accordion-heading-right">\
<div class="accordion-heading-date-wide">{day}</div></div>"""


def _text(item: NewsItem) -> str:
    """A paragraph around a span of paragraphs, or the span alone, or no paragraph."""
    body = f'<p class="tinymce-p">{item.teaser}</p><p class="tinymce-p">&nbsp;</p>'
    span = f"<span id='description{item.id}'>{{}}</span>"
    if item.id % 3 == 0:
        return span.format(body + "<ul><li>Mats&auml;ck</li><li>Regnkl&auml;der</li></ul>")
    if item.id % 3 == 1:
        return span.format(item.teaser)
    return f'<p class="acc-item-main">{span.format(body)}</p>'


def _facts(item: NewsItem) -> str:
    until = item.published + timedelta(days=21)
    values = (
        item.author,
        "8A, 8B, 8C&nbsp;",
        dates.in_lists(item.published),
        dates.in_lists(until),
    )
    return "".join(
        f"<label>{label}</label><div>{value}</div>"
        for label, value in zip(_LABELS, values, strict=True)
    )


@jsp_page
def news_page(request: Request, state: State, person: Person) -> Response:
    """`type` 1 is current, 2 older; `action=viewold` the archive; `requestid` one item."""
    query, count = request.query, state.settings.news_items
    news = news_of(person.school, count, state.clock.today())
    kind = 2 if query.get("type") == "2" or query.get("action") == "viewold" else 1
    shown = _select(news, query.get("requestid"), kind)
    content = accordion(shown, kind)
    if not shown:
        content = "<p>Det finns inga nyheter.</p>"
    return page_frame.render("Aktuellt", page_frame.box("news_con", "Aktuellt", content), state)


def _select(news: list[NewsItem], number: str | None, kind: int) -> list[NewsItem]:
    """The item with this number; without one, the newer two thirds or the older third."""
    if number is not None:
        return [item for item in news if str(item.id) == number]
    newer = len(news) - len(news) // 3
    return news[newer:] if kind == 2 else news[:newer]
