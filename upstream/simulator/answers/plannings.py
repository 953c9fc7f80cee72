"""Plannings: those of a week, one of them, and its parts."""

from collections.abc import Callable
from typing import Any

from upstream.simulator import coursework, plannings, swedish_dates
from upstream.simulator.answers.access import Handler, json_endpoint, refuse_other_class
from upstream.simulator.answers.assignments import missing, requested_monday
from upstream.simulator.classes import class_of
from upstream.simulator.descriptions import RICH
from upstream.simulator.http_exchange import NOT_FOUND, Request, Response, as_json
from upstream.simulator.people import Person
from upstream.simulator.plannings import Part
from upstream.simulator.rooms import subject_of
from upstream.simulator.state import State

Parts = list[Part]


@json_endpoint
def of_week(request: Request, state: State, person: Person) -> Response:
    """Whatever overlaps the week, however long ago it began."""
    monday = requested_monday(request, state)
    if isinstance(monday, Response):
        return monday
    return as_json(
        [part.row() for part in plannings.parts_of_week(class_of(person, state), monday)]
    )


def _planning(handler: Callable[[Parts], Any]) -> Handler:
    """An address below a planning: 404 where there is none, 403 for another class's."""

    @json_endpoint
    def answer(request: Request, state: State, person: Person) -> Response:
        found = _find(request.args["planning"], person, state)
        return found if isinstance(found, Response) else as_json(handler(found))

    return answer


def _part(handler: Callable[[Part, State], Any]) -> Handler:
    @json_endpoint
    def answer(request: Request, state: State, person: Person) -> Response:
        text = request.args["part"]
        found = _find(text[:-1], person, state)
        if isinstance(found, Response):
            return found
        parts = [part for part in found if str(part.id) == text]
        if not parts:
            return NOT_FOUND
        data = handler(parts[0], state)
        return data if isinstance(data, Response) else as_json(data)

    return answer


def _find(text: str, person: Person, state: State) -> Parts | Response:
    if not text.isdecimal():
        return NOT_FOUND
    refusal = refuse_other_class(plannings.class_number(int(text)), person, state)
    if refusal is not None:
        return refusal
    today = state.clock.today()
    return plannings.parts_of(class_of(person, state), int(text), today) or NOT_FOUND


def _view(parts: Parts) -> dict[str, Any]:
    title = parts[0].title.rpartition(",")[0]
    return {"title": title, "subjectNames": subject_of(parts[0].room), "contents": []}


def _tabs(parts: Parts) -> list[dict[str, Any]]:
    """Not in order."""
    return [{"id": part.id, "order": part.order, "title": part.title} for part in reversed(parts)]


def _part_view(part: Part, _state: State) -> dict[str, Any]:
    """`subtitle`, with a small t: here alone."""
    return {
        "title": part.title,
        "subtitle": part.dates(),
        "description": (RICH, "", None)[part.order - 1],
        "publishDate": swedish_dates.in_lists(part.start),
    }


def _sections(part: Part, _state: State) -> list[dict[str, Any]]:
    kinds = ("GRADECRITERIA", "CENTRALCONTENT") if part.order == 1 else ()
    return [{"id": part.id * 10 + index, "type": kind} for index, kind in enumerate(kinds)]


def _connected_assignments(part: Part, state: State) -> list[dict[str, Any]]:
    today = state.clock.today()
    names = ("id", "title", "subTitle", "read", "sortDate")
    return [
        {name: one.row(today)[name] for name in names}
        for one in coursework.of_room(part.school_class, part.room, today)
    ]


view = _planning(_view)
tabs = _planning(_tabs)
part_view = _part(_part_view)
part_sections = _part(lambda part, state: missing(state) or _sections(part, state))
part_assignments = _part(lambda part, state: missing(state) or _connected_assignments(part, state))
