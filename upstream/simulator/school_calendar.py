"""What the school's calendar has beside lessons: the dated entries of all rooms, and events."""

from datetime import date, timedelta
from functools import lru_cache
from typing import Any

from upstream.simulator import dates, plannings
from upstream.simulator.access import json_endpoint
from upstream.simulator.assignments import data as assignments
from upstream.simulator.assignments.data import Assignment
from upstream.simulator.classes import SchoolClass, class_of
from upstream.simulator.http_exchange import Request, Response, as_json
from upstream.simulator.people import Person
from upstream.simulator.state import State

Row = dict[str, Any]
# The second group of a test: of no room that the pupil has.
_OTHER_GROUP = 900_000
_CATEGORIES = ("test", "assignment", "homework")
_TEST_MINUTES = 80


@json_endpoint
def dated_entities(_request: Request, state: State, person: Person) -> Response:
    """Tests come once for each of two groups, homework and plannings have no time, some plannings
    no end. They are there for the whole year: what is to come is not new each week."""
    settings, today = state.settings, state.clock.today()
    rows = [*_of_class(class_of(person, state), settings.rooms, settings.two_groups, today)]
    rows += [_added(item) for item in state.assignments.added_of(person.school, person.user_id)]
    if state.settings.dated_entities == "odd":
        rows = _odd(rows)
    return as_json(rows)


@lru_cache(maxsize=16)  # each calendar and each look of the watch asks for some 200 entries
def _of_class(own: SchoolClass, rooms: int, two_groups: bool, today: date) -> tuple[Row, ...]:
    rows: list[Row] = []
    for index in range(rooms):
        for assignment in assignments.of_room(own, index, today, whole_year=True):
            rows += _of_assignment(assignment, two_groups)
        rows += [_of_planning(part) for part in plannings.parts_in_room(own, index, today)]
    return tuple(rows)


def _of_assignment(assignment: Assignment, two_groups: bool) -> list[Row]:
    row = assignment.grid_row(assignment.due.date())
    first: Row = {
        "id": str(assignment.id % 100_000),
        "entityId": assignment.id,
        "activityId": row["activityId"],
        "category": _CATEGORIES[assignment.index],
        "typeName": assignment.kind,
        "name": assignment.title,
        "description": None,
        "startDate": row["startDate"],
        "endDate": row["endDate"],
        "allDay": False,
    }
    if assignment.index == 2:  # homework: the day only
        day = f"{assignment.due:%Y-%m-%d}"
        return [first | {"startDate": day, "endDate": day, "allDay": True}]
    if assignment.index == 1:
        return [first]
    ends = dates.row(assignment.due + timedelta(minutes=_TEST_MINUTES))
    first |= {"startDate": row["endDate"], "endDate": ends}
    second = {name: value for name, value in first.items() if name not in ("description", "allDay")}
    second |= {"id": f"{first['id']}-2", "activityId": _OTHER_GROUP}
    return [first, second] if two_groups else [first]


def _of_planning(part: plannings.Part) -> Row:
    row = part.grid_row()
    return {
        "id": str(part.id),
        "entityId": part.id,
        "activityId": row["activityId"],
        "category": "planning",
        "typeName": "Planering",
        "name": part.title,
        "startDate": row["startDate"],
        "endDate": row["endDate"],
    }


def _added(row: Row) -> Row:
    return {
        "id": str(row["id"]),
        "entityId": row["id"],
        "activityId": row["activityId"],
        "category": "test",
        "typeName": "Prov",
        "name": row["title"],
        "startDate": row["sortDate"],
        "endDate": row["sortDate"],
        "allDay": False,
    }


def _odd(rows: list[Row]) -> list[Any]:
    """The first row in other forms, and what is no row."""
    first = rows[0]
    changes: list[Row] = [
        {"entityId": -1, "name": "Utan nummer"},
        {"entityId": None, "name": None, "typeName": None, "category": None},
        {"startDate": "", "name": "Utan datum", "endDate": ""},
        {"startDate": None, "name": "Bara slut"},
        {"startDate": 1_773_732_000_000, "endDate": "snart"},
        {"endDate": "2020-01-01", "name": "Bakvänt"},
    ]
    return [None, *(first | change for change in changes), *rows]


def events_of(school: str, first: date, last: date, ends: str) -> list[Row]:
    """On the second Wednesday of a month a day without lessons, on the third Thursday and Friday
    an outing, and on the last Monday an evening meeting."""
    rows: list[Row] = []
    day = first.replace(day=1)
    number = 70_000 + (sum(map(ord, school)) % 100) * 100
    while day <= last:
        wednesday = day + timedelta(days=(2 - day.weekday()) % 7 + 7)
        outing = day + timedelta(days=(3 - day.weekday()) % 7 + 14)
        after = timedelta(days=1 if ends == "exclusive" else 0)
        base = number + day.month * 3
        rows += [
            _event(base, "Studiedag", f"{wednesday}", f"{wednesday + after}", all_day=True),
            _event(
                base + 1, "Lägerskola", f"{outing}", f"{outing + timedelta(days=1) + after}",
                all_day=True,
            ),
            _event(
                base + 2, "Föräldramöte", f"{outing + timedelta(days=4)} 18:00",
                f"{outing + timedelta(days=4)} 19:30", all_day=False,
            ),
        ]  # fmt: skip
        day = (day + timedelta(days=31)).replace(day=1)
    return [
        row for row in rows if row["startDate"][:10] <= f"{last}" and row["endDate"] >= f"{first}"
    ]


def _event(number: int, name: str, start: str, end: str, *, all_day: bool) -> Row:
    return {
        "eventId": number,
        "name": name,
        "description": f"<p>{name}&nbsp;&ndash; mer p&aring; sidan.</p>",
        "startDate": start,
        "endDate": end,
        "allDay": all_day,
        "category": "event",
    }


@json_endpoint
def events(request: Request, state: State, person: Person) -> Response:
    try:
        first = date.fromisoformat(request.query.get("start_date", ""))
        last = date.fromisoformat(request.query.get("end_date", ""))
    except ValueError:
        return as_json({"error": "date"}, 400)
    if state.settings.events == "none":
        return as_json([])
    rows = events_of(person.school, first, last, state.settings.event_ends)
    return as_json({"events": rows} if state.settings.events == "wrapped" else rows)
