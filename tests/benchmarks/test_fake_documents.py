"""Our own parsers read what the benchmarks' fake upstream sends, and find the owner's mark."""

from collections.abc import Callable
from typing import Any

from benchmarks.fake_upstream.answers import SCHOOLS, user_id, username
from benchmarks.fake_upstream.documents import ASSIGNMENT, DISH, FIRST_ROOM, ROOMS
from benchmarks.fake_upstream.lessons import owner_mark
from upstream.calls import assignments, subjects
from upstream.calls.lunch import fetch_lunch
from upstream.calls.news import fetch_news
from upstream.calls.people import fetch_class
from upstream.client import UpstreamClient
from upstream.records import ProvenSession

NAME = username(7)
MARK = owner_mark(user_id(NAME)).decode()
WEB = ProvenSession(
    jsessionid=NAME.encode().hex().upper(),
    hash="0",
    usertype="1",
    school=SCHOOLS[0],
    role="student",
)


def ask(client: UpstreamClient, fetch: Callable[..., Any], **more: int) -> Any:
    return fetch(client, web=WEB, **more)


def test_the_news_are_read(client: UpstreamClient) -> None:
    news = ask(client, fetch_news)
    assert len(news) == 20
    assert news[1].title == "Veckobrev v 12 – vår & värme (1)"
    assert news[2].preview == MARK


def test_the_class_is_read(client: UpstreamClient) -> None:
    classmates = ask(client, fetch_class)
    assert len(classmates) == 28
    assert MARK in classmates[0].name


def test_the_menu_is_read(client: UpstreamClient) -> None:
    days = ask(client, fetch_lunch, week=12)
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
