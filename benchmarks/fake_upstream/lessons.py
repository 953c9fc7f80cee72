"""Weeks of lessons as upstream sends them: about 10 kB of JSON, unsorted, with duplicates."""

import datetime
import json
import random
from functools import cache
from typing import Any

WEIGHT = 10_000  # bytes of JSON a week, about the size of an ordinary school week
OWNER_SLOT = b"reads-as-000000"  # replaced by the mark of the account that the week is sent to
_SUBJECTS = [
    ("Ma", "Matematik", "Torbjörn Ekvik,Åsa Lindroos", "B204"),
    ("Sv", "Svenska", "Märta Öberg", "A112"),
    ("En", "Engelska", "Jonas Falkeby", "A115"),
    ("IDH", "Idrott och hälsa", "Petra Sandö", "Idrottshallen"),
    ("NO", "NO, laboration", "Rune Askvik,Lo Hermelin", "C301,C302"),
    ("SO", "", "Ebba Nyhamn", "B210"),
    ("Rast", "Rast", "", ""),
]
_STARTS = ["08:20", "09:25", "10:40", "12:30", "13:45"]
_ENDS = ["09:25", "10:20", "11:40", "13:30", "14:40"]


def owner_mark(user_id: int) -> bytes:
    """The bytes that are in this account's weeks and in no other account's."""
    return b"reads-as-%06d" % user_id


def week_for(week: int, user_id: int) -> bytes:
    """The body of `calendar/lessons/week/{week}` for one account."""
    return _week(week).replace(OWNER_SLOT, owner_mark(user_id))


@cache
def _week(week: int) -> bytes:
    """One week, the same in every run, with the slot for the account's mark."""
    rng = random.Random(week)
    monday = datetime.date(2026, 1, 5) + datetime.timedelta(weeks=week - 2)
    lessons: list[dict[str, Any]] = []
    size = 2
    while size < WEIGHT:
        number = len(lessons)
        lesson = _lesson(rng, monday, number)
        if number == 0:
            lesson["studentLessonStatus"] = _attendance(rng, week, comment=OWNER_SLOT.decode())
        again = [lesson, dict(lesson)] if number % 9 == 8 else [lesson]  # an exact duplicate
        lessons += again
        size += sum(len(json.dumps(one, ensure_ascii=False).encode()) + 2 for one in again)
    rng.shuffle(lessons)
    return json.dumps(lessons, ensure_ascii=False).encode()


def _lesson(rng: random.Random, monday: datetime.date, number: int) -> dict[str, Any]:
    """The lesson in slot `number` of the week. Every seventh shares the slot before it."""
    slot = number - 1 if number % 7 == 6 else number
    day, index = slot % 5, slot // 5 % len(_STARTS)
    date = (monday + datetime.timedelta(days=day)).isoformat()
    name, description, teacher, room = rng.choice(_SUBJECTS)
    lesson: dict[str, Any] = {
        "eventId": rng.randrange(4_000_000, 5_000_000),
        "name": name,
        "description": description,
        "startDate": f"{date}T{_STARTS[index]}",
        "endDate": f"{date}T{_ENDS[index]}",
        "allDay": False,
        "eventColor": f"#{rng.randrange(0x1000000):06x}",
        "editable": False,
        "room": room,
        "teachingGroup": f"8C,8C/{name.upper()}-2",
        "teacher": teacher,
        "dayId": day,
        "status": rng.choice([-1, 2]),
        "category": "lesson",
        "roomBooking": False,
    }
    if rng.random() < 0.6:
        lesson["studentLessonStatus"] = _attendance(rng, monday.isocalendar().week)
    return lesson


def _attendance(rng: random.Random, week: int, comment: str = "") -> dict[str, Any]:
    return {
        "lessonId": rng.randrange(4_000_000, 5_000_000),
        "status": 0,
        "statusType": 0,
        "week": week,
        "absence": 0,
        "name": "Närvarande",
        "comment": comment,
        "reason": "",
    }
