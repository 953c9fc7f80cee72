"""`shown` and `year` of /api/schedule: lessons in plain words, of any form."""

from typing import Any

import pytest

from schoolproxy.services.shown_lessons import shown_lesson
from tests.conftest import Caller

MATHS: dict[str, Any] = {
    "name": "Ma",
    "description": "Matematik",
    "startDate": "2026-03-09T08:20",
    "endDate": "2026-03-09T09:25",
    "room": "B204,A101",
    "teacher": "Torbjörn Ekvik,,Åsa  Lindroos",
    "teachingGroup": None,
    "status": 2,
}


def test_each_lesson_is_shown_in_plain_words(elsa: Caller) -> None:
    for query in ("week=12", "week=12&parallel=keep"):
        answer = elsa.get(f"/api/schedule?{query}").json()
        assert answer["shown"] == [shown_lesson(lesson) for lesson in answer["schedule"]]
        assert answer["year"] == int(answer["schedule"][0]["startDate"][:4])
    assert shown_lesson(MATHS) == {
        "title": "Matematik",
        "text": "",
        "room": "B204, A101",
        "teacher": "Torbjörn Ekvik, Åsa Lindroos",
        "group": "",
        "start": "2026-03-09T08:20",
        "end": "2026-03-09T09:25",
        "firstDay": "2026-03-09",
        "lastDay": "2026-03-09",
        "allDay": False,
        "isBreak": False,
        "cancelled": False,
    }


@pytest.mark.parametrize(
    ("changed", "shown"),
    [
        ({"description": "<b>Sv</b> &amp; retorik<br>Prov"}, {"title": "Sv & retorik Prov"}),
        ({"description": "x" * 101}, {"title": "Ma", "text": "x" * 101}),
        ({"name": None, "description": 7}, {"title": "7"}),
        ({"name": "", "description": []}, {"title": "?"}),
        ({"status": "3"}, {"cancelled": True}),
        ({"status": -1}, {"isBreak": True}),
        ({"endDate": "2026-03-09T08:20"}, {"end": None}),
        ({"endDate": "2026-03-10T09:25"}, {"lastDay": "2026-03-09"}),
        ({"allDay": True, "endDate": "2026-03-12T00:00"}, {"lastDay": "2026-03-11"}),
        ({"startDate": "2026-03-09", "endDate": "2026-03-11"}, {"lastDay": "2026-03-11"}),
        ({"startDate": "soon"}, {"start": None, "end": None, "firstDay": None, "lastDay": None}),
    ],
)  # fmt: skip
def test_odd_lessons(changed: dict[str, Any], shown: dict[str, Any]) -> None:
    found = shown_lesson(MATHS | changed)
    assert {name: found[name] for name in shown} == shown


def test_a_week_without_lessons_is_of_the_nearest_year(elsa: Caller) -> None:
    lunch = elsa.get("/api/lunch?week=30").json()
    empty = elsa.get("/api/schedule?week=30").json()
    assert (empty["schedule"], empty["shown"]) == ([], [])
    assert empty["year"] == lunch["year"] == elsa.get("/api/attendance?week=30").json()["year"]
