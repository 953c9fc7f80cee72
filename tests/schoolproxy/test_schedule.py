"""GET /api/schedule: the rules on lessons for an odd week, and invalid queries."""

from datetime import UTC, datetime
from typing import Any

import pytest
import time_machine

from tests.conftest import Caller, signed_in
from upstream.simulator.lessons import lessons_of
from upstream.simulator.server import Simulator


def week(caller: Caller, query: str = "week=12") -> list[dict[str, Any]]:
    body = caller.get(f"/api/schedule?{query}").json()
    assert body["success"] is True
    lessons: list[dict[str, Any]] = body["schedule"]
    return lessons


def raw(simulator: Simulator, number: int = 12, username: str = "elsa.nordvall") -> list[Any]:
    """Upstream's lessons of this week."""
    person = simulator.state.person("bjorkdalen", username)
    return list(lessons_of(person, number, simulator.state.clock.today()))


def slot(lesson: dict[str, Any]) -> tuple[str, str]:
    return lesson["startDate"], lesson["endDate"]


def test_it_has_the_first_lesson_of_each_slot_in_ascending_order(
    elsa: Caller, simulator: Simulator
) -> None:
    lessons, upstreams = week(elsa), raw(simulator)
    slots = [slot(lesson) for lesson in lessons]
    assert slots == sorted(set(slots)) == sorted({slot(lesson) for lesson in upstreams})
    assert len(lessons) < len(upstreams)
    for lesson in lessons:
        assert lesson == next(one for one in upstreams if slot(one) == slot(lesson))


def test_fields_stay_as_upstream_sent_them(elsa: Caller, simulator: Simulator) -> None:
    lessons, upstreams = week(elsa, "week=12&parallel=keep"), raw(simulator)
    assert all(lesson in upstreams for lesson in lessons)
    assert any("eventId" not in lesson for lesson in lessons)
    assert any(lesson["room"] is None for lesson in lessons)
    assert any("studentLessonStatus" not in lesson for lesson in lessons)
    assert "Läxläsning" in {lesson["name"] for lesson in lessons}


def test_parallel_lessons_may_be_kept(elsa: Caller, simulator: Simulator) -> None:
    lessons, upstreams = week(elsa, "week=12&parallel=keep"), raw(simulator)
    languages = [lesson["name"] for lesson in lessons if lesson["name"].startswith("M-")]
    assert sorted(languages) == ["M-FRA", "M-SPA", "M-TYS"]
    assert len(lessons) == len(upstreams) - 1  # the exact duplicate
    starts = [slot(lesson) for lesson in lessons]
    assert starts == sorted(starts)
    assert len(week(elsa, "week=12")) == len(lessons) - 2
    assert week(elsa, "week=12&parallel=off") == week(elsa, "week=12")


def test_what_is_shown_belongs_to_its_lesson(elsa: Caller) -> None:
    every = elsa.get("/api/schedule?week=12&parallel=keep").json()
    first = elsa.get("/api/schedule?week=12").json()
    shown_of = [
        (lesson, shown) for lesson, shown in zip(every["schedule"], every["shown"], strict=True)
    ]
    for pair in zip(first["schedule"], first["shown"], strict=True):
        assert pair in shown_of
    assert len(first["shown"]) < len(every["shown"])


def test_a_week_is_1_to_53(elsa: Caller) -> None:
    for text, number in (("1", 1), ("01", 1), ("09", 9), ("10", 10), ("52", 52), ("53", 53)):
        assert elsa.get(f"/api/schedule?week={text}").json()["week"] == number


def test_an_invalid_week_is_400(elsa: Caller, simulator: Simulator) -> None:
    assert elsa.get("/api/session").status_code == 200
    simulator.requests.clear()
    for text in (
        "", "0", "00", "54", "99", "001", "-1", "%2B1", "1.5", "1e1", "0x1", "1_0", " 1", "1%20",
        "1%0A", "%00", "١٢", "１２", "²", "null", "twelve", "12;13", "12/../13", "9" * 5000,
    ):  # fmt: skip
        answer = elsa.get(f"/api/schedule?week={text}")
        assert (answer.status_code, answer.json()["code"]) == (400, "invalid_input"), text
        assert list(answer.json()["fields"]) == ["week"]
    assert len(simulator.requests) == 0


def test_an_invalid_value_of_parallel_is_400(elsa: Caller) -> None:
    for text in ("", "Keep", "yes", "1"):
        answer = elsa.get(f"/api/schedule?parallel={text}")
        assert list(answer.json()["fields"]) == ["parallel"]


@pytest.mark.parametrize(
    ("moment", "number"),
    [
        (datetime(2026, 11, 21, 12, tzinfo=UTC), 47),
        (datetime(2026, 12, 31, 22, 59, tzinfo=UTC), 53),
        (datetime(2026, 12, 31, 23, 1, tzinfo=UTC), 53),  # 1 January 2027 in Stockholm
        (datetime(2027, 1, 3, 22, 59, tzinfo=UTC), 53),
        (datetime(2027, 1, 3, 23, 0, tzinfo=UTC), 1),  # Monday there, Sunday in London
        (datetime(2024, 12, 29, 22, 59, tzinfo=UTC), 52),
        (datetime(2024, 12, 29, 23, 1, tzinfo=UTC), 1),
        (datetime(2027, 7, 4, 21, 59, tzinfo=UTC), 26),
        (datetime(2027, 7, 4, 22, 1, tzinfo=UTC), 27),  # summer time
    ],
)
def test_the_default_is_the_current_week_in_stockholm(
    caller: Caller, moment: datetime, number: int
) -> None:
    with time_machine.travel(moment, tick=False):
        caller.sign_in()
        assert caller.get("/api/schedule").json()["week"] == number


def test_a_teacher_reads_their_own_schedule(caller: Caller, simulator: Simulator) -> None:
    caller.sign_in("torbjörn.ekvik")
    assert week(caller)
    assert simulator.requests.count("/rest-api/teacher/calendar/lessons/week/12") == 1


def test_the_same_user_id_at_two_schools_is_two_people(
    elsa: Caller, caller: Caller, simulator: Simulator
) -> None:
    """Elsa and Nils have the same user id, each at their own school."""
    nils = signed_in("nils.bergqvist", "nyvang")
    assert week(elsa) != week(nils)
    assert simulator.requests.count("/bjorkdalen/rest-api/student/calendar") == 1
    assert simulator.requests.count("/nyvang/rest-api/student/calendar") == 1
