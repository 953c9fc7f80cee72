"""GET /api/stats."""

from datetime import UTC, datetime
from typing import Any

import pytest
import time_machine
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from stats.counters import count, flush

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
        count("login_failed", times=4)
        count("schedule_view", account=1, times=30)
        count("api_call", times=60)
    flush()
    body = stats(client)
    assert {name: body[name] for name in TOTALS if body[name]} == {
        "totalLogins": 13,
        "failedLogins": 4,
        "uniqueLogins": 12,
        "totalScheduleViews": 30,
        "totalApiCalls": 60,
    }
    assert body["schools"] == {"nyvang": 12, "other": 1}
    assert body["loginHours"] == {"7": 13}
    assert body["loginDays"] == {"5": 13}
    assert body["peakDates"] == {"2026-11-20": 13}
    assert body["messageHours"] == {}


def test_it_needs_two_queries_and_then_none_while_cached(
    client: Client, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    with django_assert_num_queries(2):
        stats(client)
    with django_assert_num_queries(0):
        stats(client)


def test_the_answer_may_be_cached_publicly(client: Client) -> None:
    answer = client.get("/api/stats")
    assert answer.headers["Cache-Control"] == "public, max-age=5"
    assert not answer.cookies


def test_other_methods_are_refused(client: Client) -> None:
    answer = client.post("/api/stats")
    assert answer.status_code == 405
    assert answer.json()["success"] is False
