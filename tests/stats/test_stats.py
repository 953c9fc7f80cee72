"""GET /api/stats."""

from datetime import UTC, datetime
from typing import Any

import pytest
import time_machine
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from stats.counters import count, flush
from stats.models import Publication
from stats.totals import published_totals
from tests.concurrency import at_once

pytestmark = pytest.mark.django_db

TOTALS = [
    "totalLogins",
    "failedLogins",
    "uniqueLogins",
    "totalApiCalls",
    "totalMessagesSent",
    "totalConversations",
    "totalReactions",
    "totalNotesCreated",
    "totalScheduleViews",
    "totalAssignmentFetches",
    "totalLunchFetches",
    "totalNewsFetches",
    "totalSchoolLooks",
    "totalSchoolChanges",
]
HISTOGRAMS = ["messageHours", "loginHours", "loginDays", "schools", "peakDates"]


def stats(client: Client) -> dict[str, Any]:
    answer = client.get("/api/stats")
    assert answer.status_code == 200
    body: dict[str, Any] = answer.json()
    return body


def test_a_new_service_answers_every_field(client: Client) -> None:
    assert stats(client) == {
        "success": True,
        **dict.fromkeys(TOTALS, 0),
        **{histogram: {} for histogram in HISTOGRAMS},
    }


def test_it_needs_no_session_and_ignores_a_broken_one(client: Client) -> None:
    client.cookies["wrapper_jsessionid"] = "nobody"
    stats(client)
    assert client.get("/api/stats", headers={"authorization": "Bearer no"}).status_code == 200


def test_it_answers_what_was_counted(client: Client) -> None:
    with time_machine.travel(datetime(2026, 11, 20, 6, 30, tzinfo=UTC), tick=False):
        for account in range(12):
            count("login", account=account, school="nyvang")
            count("login_first", account=account)
        count("login", account=99, school="soderport")
        count("login", account=98, school="tiny")
        count("login_failed", times=4)
        count("schedule_view", account=1, times=30)
        count("api_call", times=60)
    flush()
    body = stats(client)
    assert {name: body[name] for name in TOTALS if body[name]} == {
        "totalLogins": 14,
        "failedLogins": 4,
        "uniqueLogins": 12,
        "totalScheduleViews": 30,
        "totalApiCalls": 60,
    }
    assert body["schools"] == {"nyvang": 12, "other": 2}
    assert body["loginHours"] == {"7": 14}
    assert body["loginDays"] == {"5": 14}
    assert body["peakDates"] == {"2026-11-20": 14}
    assert body["messageHours"] == {}


def test_the_numbers_change_once_in_a_quarter_of_an_hour(client: Client) -> None:
    with time_machine.travel("2026-11-20T08:00:00Z", tick=False) as clock:
        count("note")
        flush()
        assert stats(client)["totalNotesCreated"] == 1
        count("note")
        flush()
        clock.shift(14 * 60)
        assert stats(client)["totalNotesCreated"] == 1
        clock.shift(60)
        assert stats(client)["totalNotesCreated"] == 2


@pytest.mark.django_db(transaction=True)
def test_of_twenty_readers_at_once_one_publishes() -> None:
    count("note")
    flush()
    answers = at_once([published_totals] * 20)
    assert {answer["totalNotesCreated"] for answer in answers} == {1}
    assert Publication.objects.count() == 1


def test_it_needs_one_query_between_two_publications(
    client: Client, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    stats(client)
    with django_assert_num_queries(1):
        stats(client)


def test_the_answer_may_be_cached_publicly(client: Client) -> None:
    answer = client.get("/api/stats")
    assert answer.headers["Cache-Control"] == "public, max-age=60"
    assert not answer.cookies
