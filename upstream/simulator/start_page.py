"""The start page: the box of news, the tests and results of the week, and much else."""

from datetime import timedelta
from itertools import groupby

from upstream.simulator import dates, page_frame
from upstream.simulator.access import jsp_page
from upstream.simulator.articles import Looks, accordion
from upstream.simulator.http_exchange import Request, Response
from upstream.simulator.news import NewsItem, news_of
from upstream.simulator.people import Person
from upstream.simulator.state import State

_SCHEDULE_ROWS = 180


@jsp_page
def start_page(_request: Request, state: State, person: Person) -> Response:
    """Usually about 35 kB."""
    parts = [_greeting(person), _news(person, state), _tests(state), _results(), _week(state)]
    return page_frame.render("Startsida", "\n".join(parts), state)


def _news(person: Person, state: State) -> str:
    layout = state.settings.start_page
    if layout == "no-box":
        return ""
    news = news_of(person.school, state.settings.news_items, state.clock.today())
    content = ""
    if layout == "box":
        content = _table_box(news)
    elif layout == "bare-links":
        content = _bare_links(news)
    elif layout == "accordion":
        content = accordion(news, Looks(state.clock.today()))
    return page_frame.box("news_con", "Aktuellt", content)


def _greeting(person: Person) -> str:
    return (
        '<div class="user"><p class="MuiTypography-body2">'
        f"{person.first_name} {person.last_name}</p>"
        '<a id="messages-link-button" aria-label="5 nya meddelanden" href="#"></a></div>'
    )


def _tests(state: State) -> str:
    """Rows that look like news but are not: `a.list`, in another box."""
    day = state.clock.today() + timedelta(days=3)
    rows = "".join(
        '<tr><td><a class="list" href="right_student_test.jsp?requestid=88&type=1">'
        f'<div class="heading_bold">{dates.in_lists(day)} {subject}</div>'
        f'<div>Prov kap 4</div><p class="tinymce-p">L&auml;s s.&nbsp;84&ndash;91</p></a></td></tr>'
        for subject in ("Matematik", "Engelska", "Sl&ouml;jd")
    )
    return page_frame.box("week_tests_con", "Veckans prov", f'<table class="table">{rows}</table>')


def _results() -> str:
    row = (
        '<tr><td><a class="list" href="right_student_test_results.jsp?requestid=12&type=1">'
        '<div class="heading_bold">Labbrapport 2</div><div class="comment">Bra!</div></a></td></tr>'
    )
    return page_frame.box("week_results_con", "Nya resultat", f'<table class="table">{row}</table>')


def _week(state: State) -> str:
    """An old calendar of the week: a table with everything in attributes."""
    rows = "\n".join(
        f'<tr class="schedulerow{n % 2}"><td class="light schedulecell" width="{n % 7 + 3}%" '
        f"onmouseover=\"tip(event, '{n // 60 + 8:02d}:{n % 60:02d}')\">&nbsp;</td></tr>"
        for n in range(_SCHEDULE_ROWS)
    )
    week = state.clock.today().isocalendar().week
    return page_frame.box("calendar_con", f"Vecka {week}", f'<table cellspacing="0">{rows}</table>')


_BLANK = "<tr><td>&nbsp;</td></tr>"
# A row without a link; a link without an id; one without a preview; one whose id is not first in
# the query, with `&amp;`; one with single quotes and a nested font.
_ODD = """<tr><td><span class="heading_bold">L&auml;s mer under Aktuellt</span></td></tr>
<tr><td><a class="toplist-item" href="right_student_forum_list.jsp"><div class="heading_bold">\
Nytt i forumet</div><div>Tre inl&auml;gg &ndash; &aring;sikter v&auml;lkomna</div></a></td></tr>
<tr><td><a class="toplist-item" href="right_student_news.jsp?requestid=50991&type=1&action=view">\
<div class="heading_bold">Br&aring;ttom: f&ouml;rs&auml;kringen</div></a></td></tr>
<tr><td><a class="toplist-item" href="right_student_news.jsp?type=1&amp;requestid=50992&amp;\
action=view"><div class="heading_bold">Lov v&nbsp;9</div>
  <div> Sportlov
  hela veckan </div></a></td></tr>
<tr><td><a href='right_student_news.jsp?requestid=50993&type=1' class='toplist-item unread'>\
<div class='heading_bold'><font color="#333">Cykelställ</font></div><div>Lås&nbsp;cykeln</div></a>\
</td></tr>"""


def _table_box(news: list[NewsItem]) -> str:
    """Alternating headings and tables. The first item is there twice, and at the end come the rows
    above and another item with the last id."""
    if not news:
        return '<div class="h3_bold">Skolledningen</div><p>Det finns inga nyheter.</p>'
    parts = []
    for category, group in groupby(news, key=lambda item: item.category):
        if category:
            parts.append(f'<div class="h3_bold">{category}</div>')
        rows = [_row(item) for item in group]
        if not parts:
            rows.append(rows[0])
        parts.append(_table([*rows, _BLANK]))
    rest = _table([_ODD, _other_with_its_id(news[-1]), _BLANK])
    return "\n".join([*parts, '<div class="h3_bold">&Ouml;vrigt</div>', rest])


def _bare_links(news: list[NewsItem]) -> str:
    """Links directly in the rows, without cells, which is invalid HTML."""
    rows = "\n".join(f"<tr>{_link(item)}</tr>" for item in news)
    return f'<div class="h3_bold">Skolledningen</div><table class="table">{rows}</table>'


def _table(rows: list[str]) -> str:
    return f'<table class="table table-striped">{"".join(rows)}</table>'


def _row(item: NewsItem) -> str:
    return f"<tr><td>\n {_link(item)}\n</td></tr>"


def _link(item: NewsItem) -> str:
    href = f"right_student_news.jsp?requestid={item.id}&type=1&action=view"
    return (
        f'<a class="toplist-item" href="{href}"><div class="heading_bold">{item.title}</div>'
        f"<div>{item.teaser}</div></a>"
    )


def _other_with_its_id(item: NewsItem) -> str:
    href = f"right_student_news.jsp?requestid={item.id}&type=2&action=view"
    return (
        f'<tr><td><a class="toplist-item" href="{href}"><div class="heading_bold">'
        "R&auml;ttelse</div><div>Fel datum i f&ouml;rra inl&auml;gget</div></a></td></tr>"
    )
