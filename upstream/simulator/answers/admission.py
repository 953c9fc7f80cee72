"""Who may come in: the session, the role in the path, the child in focus, somebody else's ids."""

from collections.abc import Callable

from upstream.simulator.answers.session import FORBIDDEN, UNAUTHORIZED
from upstream.simulator.classes import SchoolClass, class_of, exists
from upstream.simulator.faults.instead import INSTEAD
from upstream.simulator.people import Person
from upstream.simulator.state import State
from upstream.simulator.wire import NOT_FOUND, Request, Response, as_html, as_json

Answer = Callable[[Request, State], Response]
Work = Callable[[Request, State, Person], Response]
"""What an answer does once it is known whose data it is about."""

# The word in the path for each role.
SEGMENTS = {"student": "student", "guardian": "parent", "teacher": "teacher"}

_NOT_JSON = as_html("<html><body><div id='root'></div></body></html>")
_NO_PAGE = as_html("<html><body><h1>HTTP Status 403</h1></body></html>", 403)


def rest(work: Work) -> Answer:
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
        if state.knobs.accept == "needed" and "json" not in request.headers.get("accept", ""):
            return _NOT_JSON
        subject = state.subject_of(web)
        if subject is None:
            return NOT_FOUND if set(request.args) - {"school", "role", "week"} else as_json([])
        return work(request, state, subject)

    return answer


def page(work: Work) -> Answer:
    """A JSP address: without a session, the way to the login page that the knob says."""

    def answer(request: Request, state: State) -> Response:
        web = state.web_session(request.school, request.cookies)
        if web is None:
            return INSTEAD[state.knobs.jsp_expired](request)
        if web.person.role == "teacher" and state.knobs.teacher_pages == "403":
            return _NO_PAGE
        return work(request, state, state.subject_of(web) or web.person)

    return answer


def week_asked(request: Request, state: State) -> int | Response:
    """The ISO week of the path, leading zeros allowed, or the refusal of one that is none."""
    number = request.args["week"]
    if number.isdecimal() and 1 <= int(number) <= 53:
        return int(number)
    return as_json([]) if state.knobs.bad_week == "empty" else as_json({"error": "week"}, 400)


def not_theirs(number: int, person: Person, state: State) -> Response | None:
    """The refusal of an id built on this class number; None where it is the person's own."""
    own: SchoolClass = class_of(person, state)
    if number == own.number:
        return None
    if exists(number, own) and state.knobs.foreign == "403":
        return FORBIDDEN
    return NOT_FOUND
