"""Plannings: one for each of the first ten rooms, with three parts that follow one another."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import date, timedelta
from typing import Any

from upstream.simulator import dates
from upstream.simulator.access import (
    Handler,
    json_endpoint,
    missing_part,
    refuse_other_class,
    requested_monday,
)
from upstream.simulator.assignments import data as assignments
from upstream.simulator.assignments.data import RICH
from upstream.simulator.classes import SchoolClass, class_of
from upstream.simulator.files import content_of
from upstream.simulator.http_exchange import NOT_FOUND, Request, Response, as_json
from upstream.simulator.people import Person
from upstream.simulator.state import State
from upstream.simulator.subject_rooms.data import room_id, subject_of

ROOMS = 10
PARTS = 3
_TITLES = ("Geometri & mätningar", "Från  urtid till medeltid", "Rörelse – kraft")
_PART_WEEKS = 12
_PART_DIGITS = 7


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a planning: twelve weeks, the first from the end of August. `order` starts at 1."""

    school_class: SchoolClass
    room: int
    order: int
    year: int
    """The year in which the school year begins."""

    @property
    def id(self) -> int:
        return planning_id(self.school_class, self.room) * 10 + self.order

    @property
    def title(self) -> str:
        return f"{_TITLES[self.room % len(_TITLES)]}, del {self.order}"

    @property
    def start(self) -> date:
        first = date.fromisocalendar(self.year, 35, 1)
        return first + timedelta(weeks=_PART_WEEKS * (self.order - 1))

    @property
    def end(self) -> date:
        return self.start + timedelta(weeks=_PART_WEEKS, days=-3)

    def span(self) -> str:
        return f"{dates.short_day(self.start)} - {dates.short_day(self.end)}"

    def row(self) -> dict[str, Any]:
        """The row of a week's list. `subTitle` has a blank where assignments have a comma."""
        return {
            "id": self.id,
            "planningId": planning_id(self.school_class, self.room),
            "activityId": room_id(self.school_class, self.room),
            "title": self.title,
            "subTitle": f"{self.span()} Planering, {subject_of(self.room)}",
            "read": bool(self.room % 2),
        }

    def grid_row(self) -> dict[str, Any]:
        """The row of a room's grid."""
        return {
            "planningPartId": self.id,
            "planningId": planning_id(self.school_class, self.room),
            "activityId": room_id(self.school_class, self.room),
            "planningTitle": "",
            "planningPartTitle": self.title,
            "subjects": [{"name": subject_of(self.room), "color": ""}],
            "teacher": "Åsa Lindroos",
            "startDate": f"{self.start}",
            "endDate": "" if self.order == PARTS else f"{self.end}",
            "publishDate": f"{self.start}",
            "status": "ACTIVE",
            "read": bool(self.room % 2),
        }


def planning_id(school_class: SchoolClass, room: int) -> int:
    return school_class.number * 1000 + room * 10 + 7


def class_number(planning: int) -> int:
    """The number of the class that the planning with this id belongs to."""
    return planning // 1000


def parts_of(school_class: SchoolClass, planning: int, today: date) -> list[Part]:
    """The parts of the class's planning with this id; empty if there is no such planning."""
    for room in range(ROOMS):
        if planning_id(school_class, room) == planning:
            return parts_in_room(school_class, room, today)
    return []


def parts_in_room(school_class: SchoolClass, room: int, today: date) -> list[Part]:
    if room >= ROOMS:
        return []
    year = today.year if today.isocalendar().week >= 32 else today.year - 1
    return [Part(school_class, room, order, year) for order in range(1, PARTS + 1)]


def parts_of_week(school_class: SchoolClass, monday: date) -> list[Part]:
    """Every part that overlaps this week."""
    return [
        part
        for room in range(ROOMS)
        for part in parts_in_room(school_class, room, monday)
        if part.start < monday + timedelta(days=7) and part.end >= monday
    ]


@json_endpoint
def of_week(request: Request, state: State, person: Person) -> Response:
    """Every part that overlaps the week."""
    monday = requested_monday(request, state)
    if isinstance(monday, Response):
        return monday
    return as_json([part.row() for part in parts_of_week(class_of(person, state), monday)])


def _of_planning(handler: Callable[[list[Part]], Any]) -> Handler:
    """An address of a planning: 404 for an unknown one, 403 for one of another class."""

    @json_endpoint
    def handle(request: Request, state: State, person: Person) -> Response:
        planning = _find(request.args["planning"], person, state)
        return planning if isinstance(planning, Response) else as_json(handler(planning))

    return handle


def _of_part(handler: Callable[[Part, State], Any]) -> Handler:
    @json_endpoint
    def handle(request: Request, state: State, person: Person) -> Response:
        text = request.args["part"]
        planning = _find(text[:-1], person, state)
        if isinstance(planning, Response):
            return planning
        parts = [part for part in planning if str(part.id) == text]
        if not parts:
            return NOT_FOUND
        data = handler(parts[0], state)
        return data if isinstance(data, Response) else as_json(data)

    return handle


def _find(text: str, person: Person, state: State) -> list[Part] | Response:
    if not text.isdecimal():
        return NOT_FOUND
    refusal = refuse_other_class(class_number(int(text)), person, state)
    if refusal is not None:
        return refusal
    today = state.clock.today()
    return parts_of(class_of(person, state), int(text), today) or NOT_FOUND


@_of_planning
def view(parts: list[Part]) -> dict[str, Any]:
    title = parts[0].title.rpartition(",")[0]
    return {"title": title, "subjectNames": subject_of(parts[0].room), "contents": []}


@_of_planning
def tabs(parts: list[Part]) -> list[dict[str, Any]]:
    """Not in order."""
    return [{"id": part.id, "order": part.order, "title": part.title} for part in reversed(parts)]


@_of_part
def part_view(part: Part, _state: State) -> dict[str, Any]:
    """Only here it is `subtitle`, with a small t."""
    return {
        "title": part.title,
        "subtitle": part.span(),
        "description": (RICH, "", None)[part.order - 1],
        "publishDate": dates.in_lists(part.start),
    }


@_of_part
def part_sections(part: Part, state: State) -> Response | list[dict[str, Any]]:
    kinds = ("GRADECRITERIA", "CENTRALCONTENT") if part.order == 1 else ()
    sections = [{"id": part.id * 10 + index, "type": kind} for index, kind in enumerate(kinds)]
    return missing_part(state) or sections


@_of_part
def part_assignments(part: Part, state: State) -> Response | list[dict[str, Any]]:
    today = state.clock.today()
    names = ("id", "title", "subTitle", "read", "sortDate")
    return missing_part(state) or [
        {name: assignment.row(today)[name] for name in names}
        for assignment in assignments.of_room(part.school_class, part.room, today)
    ]


def material(of_part: Handler, of_section: Handler) -> Handler:
    """Files and links: of a part of a planning, by the number of the part, or of a section of an
    assignment, which has a longer number."""

    def handle(request: Request, state: State) -> Response:
        number = request.args["section"]
        part = replace(request, args=request.args | {"part": number})
        return of_section(request, state) if len(number) > _PART_DIGITS else of_part(part, state)

    return handle


@_of_part
def files(part: Part, state: State) -> Response | list[dict[str, Any]]:
    """The first part has two, the second none, the third none that it says."""
    if part.order == PARTS:
        return NOT_FOUND
    rows = [
        {"fileId": part.id * 10 + 1, "fileName": "Planering åk 8.pdf"},
        {"id": part.id * 10 + 2, "displayName": "Karta <ny>.docx"},
    ]
    return missing_part(state) or (rows if part.order == 1 else [])


@_of_part
def links(part: Part, state: State) -> Response | list[dict[str, Any]]:
    rows = [
        {"id": part.id * 10 + 3, "displayName": "Film om bråk", "url": "https://larande.example/"},
        {"id": part.id * 10 + 4, "displayName": "", "url": "javascript:alert(1)"},
    ]
    return missing_part(state) or (rows if part.order == 1 else [])


def file(request: Request, state: State) -> Response:
    """The bytes of a file of a first part, without a redirect."""
    part = replace(request, args=request.args | {"part": request.args["section"]})
    view = part_view(part, state)
    if view.status != 200:
        return view
    names = {"1": "Planering åk 8.pdf", "2": "Karta.docx"}
    section, number = request.args["section"], request.args["file"]
    name = names.get(number[-1:]) if number[:-1] == section and section.endswith("1") else None
    if name is None:
        return NOT_FOUND
    headers = (("Content-Type", "application/octet-stream"),)
    return Response(200, content_of(name), headers)
