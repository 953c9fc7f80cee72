"""Assignments of a class: three begin in every week of term, and last for a week or two.

The id of an assignment says everything about it: the number of its class, the week in which it
begins (counted from `_EPOCH`), and its index in that week. The first is a test, the second is
handed in, the third is homework of which little is known.
"""

from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import Any

from upstream.simulator import swedish_dates
from upstream.simulator.classes import SchoolClass
from upstream.simulator.rooms import room_id, subject_of
from upstream.simulator.timetable import EMPTY_WEEKS

_EPOCH = date(2015, 1, 5)
_WEEKS = 10_000
PER_WEEK = 3
_ROOMS = 10
"""Assignments belong to the first rooms only."""
_WEEKS_BACK, _WEEKS_AHEAD = 14, 2
"""What the room of a subject still shows, and what is announced already."""
_KINDS = ("Prov", "Inlämningsuppgift", "Läxa")
_TITLES = (
    ("Prov kap {n}", "Muntligt förhör – del {n}", "Läxförhör {n} & repetition"),
    ("Labbrapport {n}", "Uppsats: ”Min plats”, utkast {n}", "Projekt {n} (grupp)"),
    ("Läs s. {n}–{m}", "Glosor v {n}", "Öva på  uppgift {n}"),
)
_TEACHER = "Torbjörn Ekvik"


@dataclass(frozen=True, slots=True)
class Assignment:
    """One assignment. `week` counts from `_EPOCH`, `index` is 0, 1 or 2."""

    school_class: SchoolClass
    week: int
    index: int

    @property
    def id(self) -> int:
        return (self.school_class.number * _WEEKS + self.week) * 10 + self.index

    @property
    def room(self) -> int:
        """The index of its room."""
        return (self.week * PER_WEEK + self.index) % _ROOMS

    @property
    def start(self) -> datetime:
        monday = _EPOCH + timedelta(weeks=self.week)
        return datetime.combine(monday + timedelta(days=self.index), time())

    @property
    def due(self) -> datetime:
        return self.start + timedelta(days=6 + 2 * (self.week % 4), hours=8, minutes=20)

    @property
    def kind(self) -> str:
        return _KINDS[self.index]

    @property
    def subject(self) -> str:
        return subject_of(self.room)

    @property
    def title(self) -> str:
        chapter = self.week % 9 + 1
        title = _TITLES[self.index][self.week % 3]
        return title.format(n=chapter, m=chapter + 7)

    @property
    def published(self) -> datetime:
        return self.start - timedelta(days=1) + timedelta(hours=14, minutes=5)

    @property
    def teaser(self) -> str:
        """`subTitle`: usually dates, kind, subject; the other forms are rarer."""
        if self.index == 2 and self.week % 5 == 0:
            return ""
        if self.index == 2 and self.week % 2:
            return f"Hand-in due {swedish_dates.short(self.due)}, {self.kind}, {self.subject}"
        dates = f"{swedish_dates.short(self.start)} - {swedish_dates.short(self.due)}"
        return f"{dates}, {self.kind}, {self.subject}"

    def status(self, today: date) -> str:
        if self.start.date() > today:
            return "UPCOMING"
        return "EXPIRED" if self.due.date() < today else ("ONGOING", "ACTIVE")[self.index % 2]

    def is_over(self, today: date) -> bool:
        return self.due.date() < today

    def handed_in(self, today: date) -> str:
        """`submissionStatus`."""
        if self.index != 1:
            return "NO_STATUS"
        over = ("EXPIRED_SUBMITTED", "EXPIRED_NOT_SUBMITTED", "LATE", "FINISHED")
        running = ("NOT_SUBMITTED", "SUBMITTED")
        return over[self.week % 4] if self.is_over(today) else running[self.week % 2]

    def reported(self, today: date) -> str | None:
        """`resultReportStatus`."""
        if self.index == 2:
            return None if self.week % 2 else "NO_STATUS"
        return ("REPORTED", "PUBLISHED")[self.index] if self.is_over(today) else "NOT_REPORTED"

    def row(self, today: date) -> dict[str, Any]:
        """The row of a week's list."""
        return {
            "id": self.id,
            "activityId": room_id(self.school_class, self.room),
            "title": self.title,
            "subTitle": self.teaser,
            "read": self.is_over(today),
            "submissionStatus": self.handed_in(today),
            "resultReportStatus": self.reported(today),
            "sortDate": swedish_dates.row(self.due),
        }

    def grid_row(self, today: date) -> dict[str, Any]:
        """The row of a room's grid."""
        return {
            "assignmentId": self.id,
            "activityId": room_id(self.school_class, self.room),
            "title": self.title,
            "assignmentType": self.kind,
            "subjects": [{"name": self.subject, "color": "#9fe2a0"}],
            "teacher": _TEACHER,
            "startDate": swedish_dates.row(self.start),
            "endDate": swedish_dates.row(self.due),
            "publishDate": swedish_dates.row(self.published),
            "submissionDate": "",
            "submissionStatus": self.handed_in(today),
            "resultReportStatus": self.reported(today),
            "status": self.status(today),
            "read": self.is_over(today),
        }


def week_number(monday: date) -> int:
    """Weeks since the first one that anybody counts."""
    return (monday - _EPOCH).days // 7


def beginning_in(school_class: SchoolClass, week: int) -> list[Assignment]:
    """Those that begin in this week; none in the middle of the summer."""
    monday = _EPOCH + timedelta(weeks=week)
    if not 0 <= week < _WEEKS or monday.isocalendar().week in EMPTY_WEEKS:
        return []
    return [Assignment(school_class, week, index) for index in range(PER_WEEK)]


def of_week(school_class: SchoolClass, monday: date) -> list[Assignment]:
    """Every assignment of which some day is in this week, whenever it began."""
    this = week_number(monday)
    return [
        assignment
        for week in range(this - 2, this + 1)
        for assignment in beginning_in(school_class, week)
        if assignment.due.date() >= monday
    ]


def of_room(school_class: SchoolClass, index: int, today: date) -> list[Assignment]:
    """What a room shows: the last weeks and the next ones, oldest first."""
    this = week_number(today)
    return [
        assignment
        for week in range(this - _WEEKS_BACK, this + _WEEKS_AHEAD + 1)
        for assignment in beginning_in(school_class, week)
        if assignment.room == index
    ]


def class_number(assignment_id: int) -> int:
    """Whose it is: the number of the class on which the id is built."""
    return assignment_id // (_WEEKS * 10)


def find(school_class: SchoolClass, assignment_id: int) -> Assignment | None:
    """The assignment of this class with this id."""
    week, index = divmod(assignment_id % (_WEEKS * 10), 10)
    for assignment in beginning_in(school_class, week):
        if assignment.index == index and assignment.id == assignment_id:
            return assignment
    return None
