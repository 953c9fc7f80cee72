"""Our own parsers read what the benchmarks' fake upstream sends, and find the owner's mark."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from benchmarks.fake_upstream.answers import ACCOUNTS_A_SCHOOL, SCHOOLS, user_id, username
from benchmarks.fake_upstream.documents import (
    ASSIGNMENT,
    DISH,
    DOCUMENTS,
    FIRST_ROOM,
    ROOMS,
    kind_of,
)
from benchmarks.fake_upstream.lessons import owner_mark
from benchmarks.fake_upstream.pages import WEIGHT, start_page
from benchmarks.fake_upstream.server import FakeUpstream, run_fake_upstream
from upstream.calls import assignments, subjects
from upstream.calls.lunch import fetch_lunch
from upstream.calls.news import fetch_news
from upstream.calls.people import fetch_class
from upstream.calls.session import fetch_session
from upstream.client import UpstreamClient
from upstream.config import UpstreamConfig
from upstream.records import ProvenSession

SCHOOL = SCHOOLS[0]
NUMBER = 7
MARK = owner_mark(user_id(username(NUMBER))).decode()


@pytest.fixture(scope="module")
def fake() -> Iterator[FakeUpstream]:
    with run_fake_upstream() as started:
        yield started


@pytest.fixture
def client(fake: FakeUpstream) -> Iterator[UpstreamClient]:
    made = UpstreamClient(UpstreamConfig(base_url=fake.url))
    yield made
    made.close()


def cookies(number: int) -> ProvenSession:
    encoded = username(number).encode().hex().upper()
    return ProvenSession(jsessionid=encoded, hash="0", usertype="1", school=SCHOOL, role="student")


def ask(client: UpstreamClient, fetch: Callable[..., Any], **more: int) -> Any:
    return fetch(client, web=cookies(NUMBER), **more)


def test_the_start_page_has_its_size_and_is_windows_1252() -> None:
    for items in (20, 100):
        page = start_page(1, items)
        assert WEIGHT <= len(page) < WEIGHT * 1.15
        assert b"\x96" in page  # a dash, which ISO-8859-1 has no character for


def test_the_news_are_read(client: UpstreamClient) -> None:
    news = fetch_news(client, web=cookies(NUMBER))
    assert len(news) == 20
    assert news[1].title == "Veckobrev v 12 – vår & värme (1)"
    assert news[2].preview == MARK


def test_the_class_is_read(client: UpstreamClient) -> None:
    classmates = fetch_class(client, web=cookies(NUMBER))
    assert len(classmates) == 28
    assert MARK in classmates[0].name


def test_the_menu_is_read(client: UpstreamClient) -> None:
    days = fetch_lunch(client, web=cookies(NUMBER), week=12)
    assert [day.day_id for day in days] == [1, 2, 3, 4, 5]
    assert days[0].dishes[0].alternatives[0].text == DISH


def test_the_rooms_and_their_parts_are_read(client: UpstreamClient) -> None:
    rooms = ask(client, subjects.fetch_rooms)
    assert len({room["activityId"] for room in rooms}) == ROOMS
    for room in rooms:
        number = room["activityId"]
        entities = ask(client, subjects.fetch_entities, room=number)
        assert MARK in entities[0]["title"]
        assert ask(client, subjects.fetch_unread, room=number) == 3
        assert len(ask(client, subjects.fetch_teachers, room=number)) == 2


def test_the_details_of_a_room_are_read(client: UpstreamClient) -> None:
    assert ask(client, subjects.fetch_room, room=FIRST_ROOM)["subject"] == "Matematik"
    assert MARK in ask(client, subjects.fetch_examinations, room=FIRST_ROOM)[0]["title"]
    assert ask(client, subjects.fetch_submissions, room=FIRST_ROOM) == []
    assert len(ask(client, subjects.fetch_room_rows, room=FIRST_ROOM)) == 6


def test_an_assignment_and_its_parts_are_read(client: UpstreamClient) -> None:
    assert MARK in ask(client, assignments.fetch_week_assignments, week=12, year=2026)[0]["title"]
    assert MARK in ask(client, assignments.fetch_assignment, assignment=ASSIGNMENT)["title"]
    assert len(ask(client, assignments.fetch_sections, assignment=ASSIGNMENT)) == 2
    assert ask(client, assignments.fetch_connected_plannings, assignment=ASSIGNMENT) == []
    assert "assessmentPartialMoments" in ask(
        client, assignments.fetch_assessment, assignment=ASSIGNMENT
    )
    assert ask(client, assignments.fetch_columns, assignment=ASSIGNMENT) == []
    assert ask(client, assignments.fetch_selected_criteria, grade_type=7, section=5123)


def test_accounts_with_near_numbers_share_a_school(client: UpstreamClient) -> None:
    numbers = (0, ACCOUNTS_A_SCHOOL - 1, ACCOUNTS_A_SCHOOL)
    first, second, other = (
        fetch_session(client, school=SCHOOL, web=cookies(number)).organization_id
        for number in numbers
    )
    assert first == second != other


def test_every_document_is_found_by_its_path_and_no_other() -> None:
    for ending, kind, _ in DOCUMENTS:
        role = "" if ending.startswith("/lunchmenu") else "/student"
        path = f"/{SCHOOL}/rest-api{role}{ending.replace('*', '12')}"
        assert kind_of(path) == kind
        assert kind_of(f"{path}/more") is None
    assert kind_of("/jsp/Login.jsp") is None
