"""The news page: an accordion with each article in full, the archive, or one article."""

from dataclasses import dataclass
from datetime import date, timedelta
from itertools import groupby

from upstream.simulator import dates, files, page_frame
from upstream.simulator.access import jsp_page
from upstream.simulator.http_exchange import Request, Response
from upstream.simulator.news import NewsItem, articles_of
from upstream.simulator.people import Person
from upstream.simulator.state import State


@dataclass(frozen=True, slots=True)
class Looks:
    """How the page looks: the page's own number (1 current, 2 older), its dates, and today."""

    today: date
    kind: int = 1
    dates: str = "hidden"


@jsp_page
def news_page(request: Request, state: State, person: Person) -> Response:
    """`type` 1 is current, 2 older; `action=viewold` the archive; `requestid` one item."""
    query = request.query
    kind = 2 if query.get("type") == "2" or query.get("action") == "viewold" else 1
    shown = _select(articles_of(person, state), query.get("requestid"), kind)
    content = accordion(shown, Looks(state.clock.today(), kind, state.settings.news_dates))
    if not shown:
        content = "<p>Det finns inga nyheter.</p>"
    return page_frame.render("Aktuellt", page_frame.box("news_con", "Aktuellt", content), state)


def _select(news: list[NewsItem], number: str | None, kind: int) -> list[NewsItem]:
    """The item with this number; without one, the newer two thirds or the older third."""
    if number is not None:
        return [item for item in news if str(item.id) == number]
    newer = len(news) - (len(news) - 1) // 3
    return news[newer:] if kind == 2 else news[:newer]


def accordion(news: list[NewsItem], looks: Looks) -> str:
    """News as an accordion, grouped under headings. `id="accordion"` is repeated."""
    parts = []
    for category, group in groupby(news, key=lambda item: item.category):
        if category:
            parts.append(f'<div class="h3_bold">{category}</div>')
        items = "\n".join(_item(item, looks) for item in group)
        parts.append(f'<div class="accordion" id="accordion">\n{items}\n</div>')
    return "\n".join(parts)


def _item(item: NewsItem, looks: Looks) -> str:
    """One item. The text is there even if the item is closed."""
    n = item.id
    return f"""<div id="accordion-group{n}" class="accordion-group">
 <div id="accordion-heading{n}" class="accordion-heading">\
<a class="accordion-toggle" href="#collapse{n}">
{_heading(item)}</a></div>
 <div id="collapse{n}" class="accordion-body collapse"><div class="accordion-inner">
  <div class="accordion_inner_left">{_text(item, looks)}</div>
  {_form(item, looks)}
  <div class="accordion_inner_right"><div class="inner_right_info">{_facts(item, looks)}
   {files.links("news", n, looks.kind)}</div></div>
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


# Links that people typed wrong, a smiley, and a video.
_ODD_TEXT = (
    '<p class="tinymce-p">😃 <img src="../../script/tinymce/smiley.gif" alt=":-)"> '
    '<a href="http:/bjorkdalen.example/lov">Lovet</a> och '
    '<a href="https://https://bjorkdalen.example/mat">maten</a></p>'
    '<iframe src="https://film.example/embed/7" title="Filmen"></iframe>'
)


def _text(item: NewsItem, looks: Looks) -> str:
    """A paragraph around a span of paragraphs, the span alone, no paragraph, or nothing: the news
    is in a file."""
    span = f"<span id='description{item.id}'>{{}}</span>"
    if files.holds_all_of(item.id):
        return span.format("")
    body = f'<p class="tinymce-p">{item.teaser}</p><p class="tinymce-p">&nbsp;</p>'
    body += _pictures(item, looks)
    if item.id % 3 == 0:
        return span.format(body + "<ul><li>Mats&auml;ck</li><li>Regnkl&auml;der</li></ul>")
    if item.id % 3 == 1:
        return span.format(item.teaser + _ODD_TEXT)
    return f'<p class="acc-item-main">{span.format(body)}</p>'


def _pictures(item: NewsItem, looks: Looks) -> str:
    """The pictures among the files of the item, and one that belongs to another item."""
    own = [file.id for file in files.of("news", item.id) if file.is_picture]
    return "".join(
        f'<p><img src="showFileImage.jsp?fileid={number}&tn=1&object=news&requestid1={item.id}'
        f'&requestid2={looks.kind}&requestid3=0&hash=4be1f09c7a6d&rnd=17" width="412" alt=""></p>'
        for number in (*own, *([1] if own else []))
    )


def _form(item: NewsItem, looks: Looks) -> str:
    """The form that confirms an item: a write. Every fifth item asks something in it."""
    asks = (
        f'<label>Vi kommer p&aring; m&ouml;tet</label><input type="checkbox" name="c{item.id}">'
        '<input type="submit" class="btn" value="Spara">'
        if item.id % 5 == 0
        else ""
    )
    action = f"right_student_news.jsp?action=update&requestid={item.id}&type={looks.kind}"
    return f'<form id="formtable" method="post" action="{action}">{asks}</form>'


def _facts(item: NewsItem, looks: Looks) -> str:
    until = item.published + timedelta(days=21)
    values = {
        "Från": item.author,
        "Till": "8A, 8B, 8C&nbsp;",
        "Publicerad": dates.for_people(item.published, looks.today),
        "Visa till": dates.for_people(until, looks.today),
    }
    if looks.dates == "none":
        del values["Publicerad"], values["Visa till"]
    facts = "".join(f"<label>{label}</label><div>{values[label]}</div>" for label in values)
    if looks.dates == "hidden":
        facts += _hidden("from", item.id, item.published) + _hidden("to", item.id, until)
    return facts


def _hidden(which: str, number: int, day: date) -> str:
    """A date in hidden blocks; the months begin with 0."""
    parts = {"Day": day.day, "Month": day.month - 1, "Year": day.year}
    return "".join(
        f'<div class="hidden" id="{which}Date{part}{number}">{value}</div>'
        for part, value in parts.items()
    )
