"""Lessons of a week, with cookies or with a token."""

from upstream.simulator.answers.access import json_endpoint, requested_week
from upstream.simulator.answers.session import FORBIDDEN, UNAUTHORIZED
from upstream.simulator.http_exchange import NOT_FOUND, Request, Response, as_json
from upstream.simulator.people import Person
from upstream.simulator.state import State
from upstream.simulator.timetable import lessons_of


@json_endpoint
def week(request: Request, state: State, person: Person) -> Response:
    """The role in the path must be the caller's own; a guardian sees the child's lessons."""
    asked = requested_week(request, state)
    if isinstance(asked, Response):
        return asked
    return as_json(lessons_of(person, asked, state.clock.today()))


def bearer_schedule(request: Request, state: State) -> Response:
    """This week's lessons of the token's owner."""
    person = state.tokens.person_of(request.school, request.bearer)
    if person is None:
        return UNAUTHORIZED
    wanted = request.args["user_id"]
    if not wanted.isdecimal():
        return NOT_FOUND
    if int(wanted) != person.user_id:
        return FORBIDDEN
    today = state.clock.today()
    subject = state.person(person.school, person.child) if person.child else person
    return as_json(lessons_of(subject, today.isocalendar().week, today))
