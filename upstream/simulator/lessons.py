"""Lessons for every week, with every quirk of the real calendar.

The same (school, user, week) always gives the same lessons. Except in `EMPTY_WEEKS`, every week
has breaks, an exact duplicate, three parallel language groups, an overlap, an item without
`eventId`, a null room, and no useful order; every fourth week has a lesson on Saturday.
"""

from datetime import date, timedelta
from functools import lru_cache
from random import Random, randrange, sample
from typing import Any

from upstream.simulator.access import json_endpoint, requested_week
from upstream.simulator.dates import EMPTY_WEEKS, monday_near
from upstream.simulator.http_exchange import Request, Response, as_json
from upstream.simulator.people import Person
from upstream.simulator.state import State

Lesson = dict[str, Any]

# code, description, teacher, colour
_SUBJECTS = [
    ("Ma", "Matematik", "Torbjörn Ekvik,Åsa Lindroos", "#6fa8dc"),
    ("Sv", "Svenska & retorik", "Åsa Lindroos", "#93c47d"),
    ("En", "Engelska ", "Per-Olof Hägg", "#ffd966"),
    ("IDH", "Idrott och hälsa", "Mårten Öberg", "#f6b26b"),
    ("FYSFYS01a", "FYSFYS01a", "Torbjörn Ekvik", "#8e7cc3"),
    ("Kemi", "Kemi, laboration", "Görel  Wästlund", "#76a5af"),
    ("Hkk", "", "", "#c27ba0"),
    ("Bild", "Bild", "Örjan Åkesson", "#e06666"),
]
_LANGUAGES = [
    ("M-SPA", "Spanska", "Inés Ruiz", "#b45f06"),
    ("M-TYS", "Tyska", "Jürgen Groß", "#0b5394"),
    ("M-FRA", "Franska", "Amélie Lefèvre", "#38761d"),
]
_SLOTS = [("08:20", "09:25"), ("09:40", "10:40"), ("12:20", "13:20"), ("13:35", "14:40")]
_ROOMS = ["B204", "A101", "Gymnastiksal 2", "C3 ", ""]
_LUNCHES = ["Lunch", "Lunchvakt"]
_BREAKS = ["Rast", "Promenad"]


def lessons_of(person: Person, week: int, today: date) -> list[Lesson]:
    """The person's lessons in ISO week `week`, in the year that is nearest to `today`."""
    return _lessons(person.school, person.user_id, week, monday_near(week, today))


@lru_cache(maxsize=512)
def _lessons(school: str, user_id: int, week: int, monday: date) -> list[Lesson]:
    if week in EMPTY_WEEKS:
        return []
    rng = Random(f"{school}/{user_id}/{week}")  # noqa: S311 - repeatable, not secret
    first_id = 4_000_000 + rng.randrange(400_000)
    lessons: list[Lesson] = []
    for day in range(5):
        lessons += _day(rng, monday + timedelta(days=day))
    lessons += _parallel_languages(monday + timedelta(days=1))
    lessons.append(_overlap(monday + timedelta(days=2)))
    if week % 4 == 0:
        saturday = monday + timedelta(days=5)
        lessons.append(_lesson(saturday, ("10:00", "14:00"), "Friluftsdag", "Friluftsdag"))
    for number, lesson in enumerate(lessons):
        _number(lesson, first_id + number, number, week)
    lessons[2]["room"] = None
    del lessons[3]["eventId"]
    lessons.append(dict(lessons[5]))
    rng.shuffle(lessons)
    return lessons


def _day(rng: Random, day: date) -> list[Lesson]:
    lessons = [
        _lesson(day, slot, code, description, teacher, colour, rng.choice(_ROOMS))
        for slot, (code, description, teacher, colour) in zip(
            _SLOTS, rng.sample(_SUBJECTS, len(_SLOTS)), strict=True
        )
    ]
    lessons.insert(1, _break(day, ("09:25", "09:40"), rng.choice(_BREAKS)))
    lessons.insert(3, _break(day, ("11:40", "12:20"), rng.choice(_LUNCHES)))
    return lessons


def _parallel_languages(day: date) -> list[Lesson]:
    """Three groups at the same time. A pupil goes to one of them; the calendar shows all."""
    return [
        _lesson(day, ("14:45", "15:30"), code, description, teacher, colour, f"D{index}")
        for index, (code, description, teacher, colour) in enumerate(_LANGUAGES, start=1)
    ]


def _overlap(day: date) -> Lesson:
    return _lesson(day, ("14:10", "15:10"), "Läxläsning", "Läxläsning", room="Biblioteket")


def _lesson(
    day: date,
    slot: tuple[str, str],
    code: str,
    description: str,
    teacher: str = "",
    colour: str = "#cccccc",
    room: str = "",
) -> Lesson:
    return {
        "eventId": 0,
        "name": code,
        "description": description,
        "startDate": f"{day}T{slot[0]}",
        "endDate": f"{day}T{slot[1]}",
        "allDay": False,
        "eventColor": colour,
        "editable": False,
        "room": room,
        "teachingGroup": f"8C,8C/{code.upper()}-2",
        "teacher": teacher,
        "dayId": day.weekday(),
        "status": 2,
        "category": "lesson",
        "roomBooking": False,
    }


def _break(day: date, slot: tuple[str, str], name: str) -> Lesson:
    lesson = _lesson(day, slot, name, name, colour="#c9a0c9")
    return lesson | {"teachingGroup": "8A,8B,8C", "status": -1}


def _number(lesson: Lesson, event_id: int, index: int, week: int) -> None:
    """Set the id, and attendance in one of three forms: an object, null, or missing."""
    lesson["eventId"] = event_id
    if index % 3 == 0:
        lesson["studentLessonStatus"] = {
            "lessonId": event_id,
            "status": 0,
            "statusType": 0,
            "week": week,
            "absence": 0,
            "name": "Närvarande",
            "comment": "",
            "reason": "",
        }
    elif index % 3 == 1:
        lesson["studentLessonStatus"] = None


@json_endpoint
def week_lessons(request: Request, state: State, person: Person) -> Response:
    week = requested_week(request)
    if isinstance(week, Response):
        return week
    today = state.clock.today()
    monday = monday_near(week, today)
    lessons = lessons_of(person, week, today)
    lessons = state.schedule.apply(person.school, person.user_id, monday, lessons)
    if state.settings.attendance == "mixed":
        lessons = with_absence(lessons)
    return as_json(_with_noise(lessons) if state.settings.lesson_noise else lessons)


# `status`, `statusType`, `absence`, `name`, `reason`; and what else has been imagined.
_ABSENCE: list[Any] = [
    (2, 2, 60, "Frånvarande", "Ogiltig frånvaro"),
    (3, 3, 40, "Frånvarande", "Sjuk"),
    (4, 4, 65, "Föranmäld", "Tandläkare"),
    (1, 1, 0, "Närvarande", ""),
    (1, 2, 10, "Sen ankomst", None),
    (750, 4, None, "Beviljad ledighet", "Resa"),
    (99, 2, 5, "Annat", "Något nytt"),
    None,
    "Frånvarande",
    {},
]


def with_absence(lessons: list[Lesson]) -> list[Lesson]:
    """The same lessons with absence of every kind, by turns in the order of their starts."""
    by_start = sorted(lessons, key=lambda lesson: (lesson["startDate"], lesson["name"]))
    starts = list(dict.fromkeys((lesson["startDate"], lesson["name"]) for lesson in by_start))
    forms = {start: _ABSENCE[index % len(_ABSENCE)] for index, start in enumerate(starts)}
    return [
        lesson | {"studentLessonStatus": _absence(forms[lesson["startDate"], lesson["name"]])}
        for lesson in lessons
    ]


def _absence(form: Any) -> Any:
    if not isinstance(form, tuple):
        return form
    status, kind, minutes, name, reason = form
    return {
        "status": status,
        "statusType": kind,
        "absence": minutes,
        "name": name,
        "comment": "Ring hem.",
        "reason": reason,
    }


def _with_noise(lessons: list[Lesson]) -> list[Lesson]:
    """The same lessons in another order, other colours and with a duplicate."""
    noisy = [
        lesson | {"eventColor": f"#{randrange(16**6):06x}"}  # noqa: S311
        for lesson in lessons
    ]
    return sample([*noisy, *noisy[:1]], len(noisy) + len(noisy[:1]))
