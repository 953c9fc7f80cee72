"""Lunch as JSON."""

from upstream.simulator.answers.access import json_endpoint, requested_week
from upstream.simulator.http_exchange import Request, Response, as_json
from upstream.simulator.menu import lunch_of
from upstream.simulator.people import Person
from upstream.simulator.state import State


@json_endpoint
def week(request: Request, state: State, person: Person) -> Response:
    """The same for everybody at the school: the path has no role."""
    asked = requested_week(request, state)
    if isinstance(asked, Response):
        return asked
    return as_json(lunch_of(person.school, asked, state.settings.lunch))
