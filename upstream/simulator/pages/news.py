"""The news page: the accordion, the archive, or one item."""

from upstream.simulator.answers.access import jsp_page
from upstream.simulator.http_exchange import Request, Response
from upstream.simulator.noticeboard import NewsItem, news_of
from upstream.simulator.pages import accordion, frame
from upstream.simulator.people import Person
from upstream.simulator.state import State


@jsp_page
def show(request: Request, state: State, person: Person) -> Response:
    """`type` 1 is current, 2 older; `action=viewold` the archive; `requestid` one item."""
    query, count = request.query, state.settings.news_items
    news = news_of(person.school, count, state.clock.today())
    kind = 2 if query.get("type") == "2" or query.get("action") == "viewold" else 1
    shown = _asked(news, query.get("requestid"), kind)
    content = accordion.sections(shown, state.settings.news_language, kind)
    if not shown:
        content = "<p>Det finns inga nyheter.</p>"
    return frame.render("Aktuellt", frame.box("news_con", "Aktuellt", content), state)


def _asked(news: list[NewsItem], number: str | None, kind: int) -> list[NewsItem]:
    """The one with this number; else the newer two thirds, or the older third."""
    if number is not None:
        return [news_item for news_item in news if str(news_item.id) == number]
    newer = len(news) - len(news) // 3
    return news[newer:] if kind == 2 else news[:newer]
