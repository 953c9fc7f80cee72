"""Lessons for every week, with every quirk of the real calendar.

The same (school, user, week) always gives the same lessons. Apart from the weeks in
`EMPTY_WEEKS`, every week holds breaks, an exact duplicate, three parallel language groups in one
slot, an overlap, an item without `eventId`, a null room, and no useful order; every fourth week
has a lesson on Saturday.
"""

from datetime import date, timedelta
from functools import lru_cache
from random import Random
from typing import Any

from upstream.simulator.people import Person

EMPTY_WEEKS = frozenset({29, 30, 31})
"""The middle of the summer: `[]`."""

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
    """What the person's calendar holds in ISO week `week` of the year nearest to `today`."""
    return _lessons(person.school, person.user_id, week, monday_near(week, today))


def monday_near(week: int, today: date) -> date:
    """The Monday of this ISO week (1-53) that is nearest to `today`; few years have a week 53."""
    mondays: list[date] = []
    for year in range(today.year - 7, today.year + 8):
        try:
            mondays.append(date.fromisocalendar(year, week, 1))
        except ValueError:
            continue
    return min(mondays, key=lambda monday: abs(monday - today))


@lru_cache(maxsize=512)
def _lessons(school: str, user_id: int, week: int, monday: date) -> list[Lesson]:
    if week in EMPTY_WEEKS:
        return []
    rng = Random(f"{school}/{user_id}/{week}")  # noqa: S311 - to be repeated, not to be secret
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
    lessons.insert(1, _pause(day, ("09:25", "09:40"), rng.choice(_BREAKS)))
    lessons.insert(3, _pause(day, ("11:40", "12:20"), rng.choice(_LUNCHES)))
    return lessons


def _parallel_languages(day: date) -> list[Lesson]:
    """Three groups at the same time: a pupil goes to one, the calendar shows all."""
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


def _pause(day: date, slot: tuple[str, str], name: str) -> Lesson:
    pause = _lesson(day, slot, name, name, colour="#c9a0c9")
    return pause | {"teachingGroup": "8A,8B,8C", "status": -1}


def _number(lesson: Lesson, event_id: int, index: int, week: int) -> None:
    """The id, and attendance in its three forms: there, null, and not mentioned."""
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
