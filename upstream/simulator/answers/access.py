"""Who may come in: the session, the role in the path, the child in focus, somebody else's ids."""

from collections.abc import Callable

from upstream.simulator.answers.session import FORBIDDEN, UNAUTHORIZED
from upstream.simulator.classes import SchoolClass, class_exists, class_of
from upstream.simulator.faults.replacements import REPLACEMENTS
from upstream.simulator.http_exchange import NOT_FOUND, Request, Response, as_html, as_json
from upstream.simulator.people import Person
from upstream.simulator.state import State

Handler = Callable[[Request, State], Response]
PersonHandler = Callable[[Request, State, Person], Response]
"""What an answer does once it is known whose data it is about."""

# The word in the path for each role.
SEGMENTS = {"student": "student", "guardian": "parent", "teacher": "teacher"}

_NOT_JSON = as_html("<html><body><div id='root'></div></body></html>")
_NO_PAGE = as_html("<html><body><h1>HTTP Status 403</h1></body></html>", 403)


def json_endpoint(handler: PersonHandler) -> Handler:
    """A JSON address: 401 without a session, 403 where the role in the path is not the caller's.

    A guardian without a child in focus gets empty lists, and 404 for anything with an id.
    """

    def answer(request: Request, state: State) -> Response:
        web = state.web_session(request.school, request.cookies)
        if web is None:
            return UNAUTHORIZED
        own = SEGMENTS[web.person.role]
        if request.args.get("role", own) != own:
            return FORBIDDEN
        if state.settings.accept == "needed" and "json" not in request.headers.get("accept", ""):
            return _NOT_JSON
        subject = state.data_owner(web)
        if subject is None:
            return NOT_FOUND if set(request.args) - {"school", "role", "week"} else as_json([])
        return handler(request, state, subject)

    return answer


def jsp_page(handler: PersonHandler) -> Handler:
    """A JSP address: without a session, the way to the login page that the setting says."""

    def answer(request: Request, state: State) -> Response:
        web = state.web_session(request.school, request.cookies)
        if web is None:
            return REPLACEMENTS[state.settings.jsp_expired](request)
        if web.person.role == "teacher" and state.settings.teacher_pages == "403":
            return _NO_PAGE
        return handler(request, state, state.data_owner(web) or web.person)

    return answer


def requested_week(request: Request, state: State) -> int | Response:
    """The ISO week of the path, leading zeros allowed, or the refusal of one that is none."""
    number = request.args["week"]
    if number.isdecimal() and 1 <= int(number) <= 53:
        return int(number)
    return as_json([]) if state.settings.bad_week == "empty" else as_json({"error": "week"}, 400)


def refuse_other_class(number: int, person: Person, state: State) -> Response | None:
    """The refusal of an id built on this class number; None where it is the person's own."""
    own: SchoolClass = class_of(person, state)
    if number == own.number:
        return None
    if class_exists(number, own) and state.settings.foreign == "403":
        return FORBIDDEN
    return NOT_FOUND
