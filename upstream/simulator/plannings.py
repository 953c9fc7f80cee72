"""Plannings: one a room of the first ten, of three parts that follow one another through a year."""

from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

from upstream.simulator import swedish_dates
from upstream.simulator.classes import SchoolClass
from upstream.simulator.rooms import room_id, subject_of

ROOMS = 10
PARTS = 3
_TITLES = ("Geometri & mätningar", "Från  urtid till medeltid", "Rörelse – kraft")
_PART_WEEKS = 12


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a planning; `order` counts from 1. Twelve weeks each, from the end of August."""

    school_class: SchoolClass
    room: int
    order: int
    year: int
    """In which the school year begins."""

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

    def dates(self) -> str:
        return f"{swedish_dates.short_day(self.start)} - {swedish_dates.short_day(self.end)}"

    def row(self) -> dict[str, Any]:
        """The row of a week's list: here a blank stands where assignments have a comma."""
        return {
            "id": self.id,
            "planningId": planning_id(self.school_class, self.room),
            "activityId": room_id(self.school_class, self.room),
            "title": self.title,
            "subTitle": f"{self.dates()} Planering, {subject_of(self.room)}",
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
    """Whose it is: the number of the class on which the id is built."""
    return planning // 1000


def parts_of(school_class: SchoolClass, planning: int, today: date) -> list[Part]:
    """The parts of the class's planning with this id; none where there is no such planning."""
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
    """Every part of which some day is in this week, however long ago it began."""
    return [
        part
        for room in range(ROOMS)
        for part in parts_in_room(school_class, room, monday)
        if part.start < monday + timedelta(days=7) and part.end >= monday
    ]
