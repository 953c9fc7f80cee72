"""The news page: the accordion, the archive, or one item."""

from upstream.simulator.answers.admission import page
from upstream.simulator.noticeboard import Notice, notices_of
from upstream.simulator.pages import accordion, frame
from upstream.simulator.people import Person
from upstream.simulator.state import State
from upstream.simulator.wire import Request, Response


@page
def show(request: Request, state: State, person: Person) -> Response:
    """`type` 1 is current, 2 older; `action=viewold` the archive; `requestid` one item."""
    query, count = request.query, state.knobs.news_items
    notices = notices_of(person.school, count, state.clock.today())
    kind = 2 if query.get("type") == "2" or query.get("action") == "viewold" else 1
    shown = _asked(notices, query.get("requestid"), kind)
    content = accordion.sections(shown, state.knobs.news_language, kind)
    if not shown:
        content = "<p>Det finns inga nyheter.</p>"
    return frame.send("Aktuellt", frame.box("news_con", "Aktuellt", content), state)


def _asked(notices: list[Notice], number: str | None, kind: int) -> list[Notice]:
    """The one with this number; else the newer two thirds, or the older third."""
    if number is not None:
        return [notice for notice in notices if str(notice.id) == number]
    newer = len(notices) - len(notices) // 3
    return notices[newer:] if kind == 2 else notices[:newer]
