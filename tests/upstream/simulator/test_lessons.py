"""Every week's lessons, with the quirks of the real calendar."""

from datetime import UTC, date, datetime
from itertools import pairwise
from typing import Any

import pytest

from tests.upstream.simulator.plain_client import PlainClient
from upstream.simulator.dates import EMPTY_WEEKS, monday_near
from upstream.simulator.server import Simulator

Lesson = dict[str, Any]


@pytest.fixture
def week(simulator: Simulator, client: PlainClient) -> list[Lesson]:
    simulator.state.clock.set(datetime(2026, 3, 10, 12, tzinfo=UTC))
    lessons: list[Lesson] = client.lessons(client.sign_in(), 12).json()
    return lessons


def slot(lesson: Lesson) -> tuple[str, str]:
    return lesson["startDate"], lesson["endDate"]


def test_it_has_breaks_among_the_lessons(week: list[Lesson]) -> None:
    names = {lesson["name"] for lesson in week}
    assert names & {"Rast", "Promenad"}
    assert names & {"Lunch", "Lunchvakt"}


def test_it_has_lessons_that_overlap(week: list[Lesson]) -> None:
    slots = sorted({slot(lesson) for lesson in week})
    assert any(later[0] < earlier[1] for earlier, later in pairwise(slots))


def test_it_is_not_sorted(week: list[Lesson]) -> None:
    days = [lesson["dayId"] for lesson in week[:10]]
    assert days != sorted(days)


def test_attendance_comes_in_three_forms(week: list[Lesson]) -> None:
    forms = {type(lesson.get("studentLessonStatus", "absent")).__name__ for lesson in week}
    assert forms == {"dict", "NoneType", "str"}


def test_it_has_a_lesson_on_saturday_every_fourth_week(week: list[Lesson]) -> None:
    assert sum(lesson["dayId"] == 5 for lesson in week) == 1


def test_times_are_local_without_zone_or_seconds(week: list[Lesson]) -> None:
    assert {lesson["startDate"][:10] for lesson in week} == {f"2026-03-{d}" for d in range(16, 22)}
    assert all(len(text) == len("2026-03-16T08:20") for lesson in week for text in slot(lesson))


def test_it_is_utf8_with_swedish_letters_and_about_ten_kilobytes(client: PlainClient) -> None:
    answer = client.lessons(client.sign_in(), 11)
    assert "Läxläsning" in answer.content.decode("utf-8")
    assert 8_000 < len(answer.content) < 14_000


def test_the_same_person_and_week_give_the_same_lessons(client: PlainClient) -> None:
    elsa, nils = client.sign_in(), client.sign_in("nils.bergqvist", "nyvang")
    assert client.lessons(elsa, 11).content == client.lessons(elsa, 11).content
    assert client.lessons(elsa, 11).content != client.lessons(elsa, 13).content
    assert client.lessons(elsa).content != client.lessons(nils, school="nyvang").content


def test_every_week_is_there_and_the_summer_is_empty(client: PlainClient) -> None:
    cookies = client.sign_in()
    for number in range(1, 54):
        lessons = client.lessons(cookies, number).json()
        assert (lessons == []) is (number in EMPTY_WEEKS)


def test_a_week_takes_a_leading_zero(client: PlainClient) -> None:
    cookies = client.sign_in()
    assert client.lessons(cookies, "05").content == client.lessons(cookies, 5).content


@pytest.mark.parametrize("number", ["0", "54", "x", "-1", "1.5"])
def test_a_week_that_does_not_exist_is_refused_or_empty(
    simulator: Simulator, client: PlainClient, number: str
) -> None:
    cookies = client.sign_in()
    assert client.lessons(cookies, number).status_code == 400
    simulator.state.settings.bad_week = "empty"
    assert client.lessons(cookies, number).json() == []


@pytest.mark.parametrize(
    ("number", "today", "monday"),
    [
        (1, date(2026, 12, 20), date(2027, 1, 4)),
        (52, date(2027, 1, 10), date(2026, 12, 21)),
        (53, date(2027, 1, 3), date(2026, 12, 28)),
        (53, date(2022, 1, 1), date(2020, 12, 28)),
        (11, date(2026, 3, 10), date(2026, 3, 9)),
    ],
)
def test_a_week_is_that_of_the_nearest_year(number: int, today: date, monday: date) -> None:
    assert monday_near(number, today) == monday


def test_a_token_opens_this_weeks_schedule_of_its_owner(
    simulator: Simulator, client: PlainClient
) -> None:
    simulator.state.clock.set(datetime(2026, 3, 10, 12, tzinfo=UTC))
    headers = {"Authorization": f"Bearer {client.log_in()['access_token']}"}
    base = "/bjorkdalen/rest-api/schedule/student"
    own = client.get(f"{base}/730214", headers=headers)
    assert own.json() == client.lessons(client.sign_in(), 11).json()
    assert client.get(f"{base}/730215", headers=headers).status_code == 403
    assert client.get(f"{base}/elsa", headers=headers).status_code == 404
    assert client.get(f"{base}/730214").status_code == 401
