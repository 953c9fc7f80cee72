"""Rows of what has a date in a subject room: exams, homework and others, but no plannings."""

import re
from collections.abc import Iterable
from datetime import date
from typing import Any, Final, Literal, NamedTuple

from schoolproxy.services.missing import day_of
from upstream.calls.json_values import text_of, whole_number

Kind = Literal["exam", "homework", "other"]
Row = dict[str, Any]
KINDS: Final = ("exam", "homework", "other")
# Rows that are read of one answer.
MAX_ROWS: Final = 2_000
_EXAM: Final = re.compile(r"prov\b|\bprov|test\b|exam|förhör", re.IGNORECASE)
_HOMEWORK: Final = re.compile(r"läx|homework", re.IGNORECASE)
_PLANNING: Final = re.compile(r"planering|planning", re.IGNORECASE)


class Room(NamedTuple):
    subject: str | None
    groups: tuple[str, ...]


def overlaps(start: object, end: object, first: date, last: date) -> bool:
    """Whether something from `start` to `end` (as upstream sent them; an end that is missing, or
    before the start, says nothing) takes place on one of these days, both inclusive."""
    begins = day_of(start)
    if begins is None:
        return False
    return begins <= last and max(begins, day_of(end) or begins) >= first


def by_id(rooms: Iterable[Row]) -> dict[int, Room]:
    """The subject and the groups of each room."""
    return {room["activityId"]: Room(text_of(room.get("subject")), _texts(room)) for room in rooms}


def exams_of(rows: list[Row], rooms: dict[int, Room]) -> list[Row]:
    """The exams in upstream's rows, by time. One of several groups is there once, with the number
    of the first. Rows without a date are left out; a number that nobody could ask for is None."""
    exams: list[Row] = []
    known: dict[tuple[Any, ...], Row] = {}
    for row in rows[:MAX_ROWS]:
        exam, room = _exam(row), rooms.get(whole_number(row.get("activityId")) or 0)
        if exam is None:
            continue
        subject, groups = room or Room(None, ())
        keys = _keys(exam, subject)
        first = next((known[key] for key in keys if key in known), None)
        if first is None:
            first = exam | {"subjects": [], "groups": []}
            exams.append(first)
        known |= dict.fromkeys(keys, first)
        first["subjects"] += [subject] if subject else []
        first["groups"] += groups
    return sorted(map(_joined, exams), key=lambda exam: (_sortable(exam["start"]), exam["title"]))


def _keys(exam: Row, subject: str | None) -> list[tuple[Any, ...]]:
    """What rows of the same exam have in common: upstream's number, or all that people see. Without
    the subject that is too little: exams of several subjects have the same title on one day."""
    when = exam["start"], exam["end"]
    seen = ("seen", exam["title"], subject, *when)
    if exam["id"] is None:
        return [seen]
    return [("number", exam["id"], *when), *([seen] if subject else [])]


def _exam(row: Row) -> Row | None:
    kind = kind_of(row.get("category"), row.get("typeName"))
    start, end = text_of(row.get("startDate")), text_of(row.get("endDate"))
    start, end = (start, end) if day_of(start) else (end, None)
    if kind is None or start is None or day_of(start) is None:
        return None
    number = whole_number(row.get("entityId"))
    return {
        "id": None if number is None else str(number),
        "kind": kind,
        "title": text_of(row.get("name")) or "",
        "start": start,
        "end": end if day_of(end) else None,
        "allDay": row.get("allDay") is True or ":" not in start,
    }


def kind_of(category: object, type_name: object) -> Kind | None:
    """By upstream's category, which is `test` for exams, else by the school's own word for it;
    None for a planning."""
    for text in (text_of(category) or "", text_of(type_name) or ""):
        if _PLANNING.search(text):
            return None
        if _HOMEWORK.search(text):
            return "homework"
        if _EXAM.search(text):
            return "exam"
    return "other"


def _joined(exam: Row) -> Row:
    subjects = dict.fromkeys(exam.pop("subjects"))
    return exam | {
        "subject": ", ".join(subjects) or None,
        "groups": list(dict.fromkeys(exam["groups"])),
    }


def _sortable(moment: str) -> str:
    return moment.replace("T", " ")


def _texts(room: Row) -> tuple[str, ...]:
    names = room.get("groupNames")
    texts = map(text_of, names) if isinstance(names, list) else ()
    return tuple(text for text in texts if text)
