"""The start page: news, the tests and results of the week, and a great deal of frame."""

from datetime import timedelta

from upstream.simulator import swedish_dates
from upstream.simulator.answers.access import jsp_page
from upstream.simulator.http_exchange import Request, Response
from upstream.simulator.noticeboard import news_of
from upstream.simulator.pages import frame
from upstream.simulator.pages.accordion import sections
from upstream.simulator.pages.news_box import bare_links, table_box
from upstream.simulator.people import Person
from upstream.simulator.state import State

_SCHEDULE_ROWS = 180


@jsp_page
def show(_request: Request, state: State, person: Person) -> Response:
    """Usually about 35 kB."""
    parts = [_greeting(person), _news(person, state), _tests(state), _results(), _week(state)]
    return frame.render("Startsida", "\n".join(parts), state)


def _news(person: Person, state: State) -> str:
    wish = state.settings.start_page
    if wish == "no-box":
        return ""
    news = news_of(person.school, state.settings.news_items, state.clock.today())
    content = ""
    if wish == "box":
        content = table_box(news, odd=state.settings.odd_news)
    elif wish == "bare-links":
        content = bare_links(news)
    elif wish == "accordion":
        content = sections(news, state.settings.news_language)
    return frame.box("news_con", "Aktuellt", content)


def _greeting(person: Person) -> str:
    return (
        '<div class="user"><p class="MuiTypography-body2">'
        f"{person.first_name} {person.last_name}</p>"
        '<a id="messages-link-button" aria-label="5 nya meddelanden" href="#"></a></div>'
    )


def _tests(state: State) -> str:
    """Rows that look like news and are none: `a.list`, in another box."""
    day = state.clock.today() + timedelta(days=3)
    rows = "".join(
        '<tr><td><a class="list" href="right_student_test.jsp?requestid=88&type=1">'
        f'<div class="heading_bold">{swedish_dates.in_lists(day)} {subject}</div>'
        f'<div>Prov kap 4</div><p class="tinymce-p">L&auml;s s.&nbsp;84&ndash;91</p></a></td></tr>'
        for subject in ("Matematik", "Engelska", "Sl&ouml;jd")
    )
    return frame.box("week_tests_con", "Veckans prov", f'<table class="table">{rows}</table>')


def _results() -> str:
    row = (
        '<tr><td><a class="list" href="right_student_test_results.jsp?requestid=12&type=1">'
        '<div class="heading_bold">Labbrapport 2</div><div class="comment">Bra!</div></a></td></tr>'
    )
    return frame.box("week_results_con", "Nya resultat", f'<table class="table">{row}</table>')


def _week(state: State) -> str:
    """The calendar of the week as it once was: a table with everything in attributes."""
    rows = "\n".join(
        f'<tr class="schedulerow{n % 2}"><td class="light schedulecell" width="{n % 7 + 3}%" '
        f"onmouseover=\"tip(event, '{n // 60 + 8:02d}:{n % 60:02d}')\">&nbsp;</td></tr>"
        for n in range(_SCHEDULE_ROWS)
    )
    week = state.clock.today().isocalendar().week
    return frame.box("calendar_con", f"Vecka {week}", f'<table cellspacing="0">{rows}</table>')
