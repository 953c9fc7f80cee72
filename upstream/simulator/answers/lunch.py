"""Lunch as JSON."""

from upstream.simulator.answers.admission import rest, week_asked
from upstream.simulator.menu import lunch_of
from upstream.simulator.people import Person
from upstream.simulator.state import State
from upstream.simulator.wire import Request, Response, as_json


@rest
def week(request: Request, state: State, person: Person) -> Response:
    """The same for everybody at the school: the path has no role."""
    asked = week_asked(request, state)
    if isinstance(asked, Response):
        return asked
    return as_json(lunch_of(person.school, asked, state.knobs.lunch))
