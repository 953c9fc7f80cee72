"""Access checks: the session, the role in the path, the child in focus, ids of other classes."""

from collections.abc import Callable
from datetime import date

from upstream.simulator.classes import class_exists, class_of
from upstream.simulator.faults.replacements import REPLACEMENTS
from upstream.simulator.http_exchange import (
    FORBIDDEN,
    NOT_FOUND,
    UNAUTHORIZED,
    Request,
    Response,
    as_json,
)
from upstream.simulator.people import Person
from upstream.simulator.state import State

Handler = Callable[[Request, State], Response]
PersonHandler = Callable[[Request, State, Person], Response]
"""Called with the person whose data is requested."""

# The word in the path for each role.
SEGMENTS = {"student": "student", "guardian": "parent", "teacher": "teacher"}


def json_endpoint(handler: PersonHandler) -> Handler:
    """A JSON address: 401 without a session, 403 if the role in the path is not the caller's.

    A guardian without a child in focus gets empty lists, and 404 for anything with an id.
    """

    def handle(request: Request, state: State) -> Response:
        web = state.web_session(request.school, request.cookies)
        if web is None:
            return UNAUTHORIZED
        own = SEGMENTS[web.person.role]
        if request.args.get("role", own) != own:
            return FORBIDDEN
        owner = state.data_owner(web)
        if owner is None:
            return NOT_FOUND if set(request.args) - {"school", "role", "week"} else as_json([])
        return handler(request, state, owner)

    return handle


def jsp_page(handler: PersonHandler) -> Handler:
    """A JSP address: without a session, a redirect to the login page."""

    def handle(request: Request, state: State) -> Response:
        web = state.web_session(request.school, request.cookies)
        if web is None:
            return REPLACEMENTS["302-login"](request)
        return handler(request, state, state.data_owner(web) or web.person)

    return handle


def requested_week(request: Request) -> int | Response:
    """The ISO week in the path, leading zeros allowed, or the response to an invalid one."""
    number = request.args["week"]
    if number.isdecimal() and 1 <= int(number) <= 53:
        return int(number)
    return as_json({"error": "week"}, 400)


def requested_monday(request: Request, state: State) -> date | Response:
    """The Monday of `week` and `year` in the query; each defaults to the current one."""
    today = state.clock.today().isocalendar()
    week, year = request.query.get("week", ""), request.query.get("year", "")
    try:
        return date.fromisocalendar(int(year or today.year), int(week or today.week), 1)
    except ValueError:
        return as_json([]) if week == "53" else as_json({"error": "week"}, 400)


def missing_part(state: State) -> Response | None:
    """The response of every part that the setting `missing_parts` makes missing, else None."""
    responses = {"404": NOT_FOUND, "403": FORBIDDEN, "empty": Response(), "none": None}
    return responses[state.settings.missing_parts]


def refuse_other_class(number: int, person: Person, state: State) -> Response | None:
    """The refusal of an id that belongs to this class; None if it is the person's own class."""
    own = class_of(person, state)
    if number == own.number:
        return None
    if class_exists(number, own) and state.settings.foreign == "403":
        return FORBIDDEN
    return NOT_FOUND
