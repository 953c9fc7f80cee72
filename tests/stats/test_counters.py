"""Counting in one process."""

import logging
import threading
from typing import Any

import pytest
import time_machine
from django.db import connection, transaction

from stats.counters import Pending, count, flush
from stats.limits import MIN_ACCOUNTS
from stats.models import Bucket, Counter


def value(name: str) -> int:
    row = Counter.objects.filter(name=name).first()
    return row.value if row else 0


def buckets(histogram: str) -> dict[str, int]:
    return dict(Bucket.objects.filter(histogram=histogram).values_list("bucket", "value"))


@pytest.mark.django_db
def test_each_flush_adds_what_was_counted_since() -> None:
    count("api_call")
    assert value("api_call") == 0
    assert flush()
    assert flush()
    assert value("api_call") == 1
    count("api_call", times=3)
    assert flush()
    assert value("api_call") == 4


@pytest.mark.django_db
def test_many_threads_lose_no_count() -> None:
    def work() -> None:
        for account in range(500):
            count("login", account=account, school="nyvang")

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    flush()
    assert value("login") == 4000
    assert buckets("schools") == {"nyvang": 4000}


def test_counting_makes_no_query(caplog: pytest.LogCaptureFixture) -> None:
    # Without the database mark any query in this thread is an error, which counting would log.
    with caplog.at_level(logging.WARNING):
        for account in range(20):
            count("login", account=account, school="nyvang")
    assert caplog.records == []


def test_counting_never_raises(caplog: pytest.LogCaptureFixture) -> None:
    wrong: Any = "no such fact"
    with caplog.at_level(logging.WARNING):
        count(wrong)
        count("login", school="not a slug\0")
    assert [record.message for record in caplog.records] == [
        "statistics could not count: ValueError"
    ] * 2


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("moment", "hour", "day", "date"),
    [
        ("2026-11-21T22:59:59Z", "23", "6", "2026-11-21"),
        ("2026-11-21T23:00:00Z", "0", "0", "2026-11-22"),  # Sunday begins in Stockholm
        ("2026-07-05T22:30:00Z", "0", "1", "2026-07-06"),  # summer time
    ],
)
def test_hours_days_and_dates_are_those_of_stockholm(
    moment: str, hour: str, day: str, date: str
) -> None:
    with time_machine.travel(moment, tick=False):
        count("login", account=1, school="nyvang")
    flush()
    assert buckets("loginHours") == {hour: 1}
    assert buckets("loginDays") == {day: 1}
    assert buckets("peakDates") == {date: 1}


@pytest.mark.django_db
def test_messages_have_only_the_histogram_of_hours() -> None:
    with time_machine.travel("2026-11-20T11:30:00Z", tick=False):
        count("message", account=7)
    flush()
    assert value("message") == 1
    assert buckets("messageHours") == {"12": 1}
    assert Bucket.objects.count() == 1


def test_memory_is_bounded_while_nothing_is_written() -> None:
    earlier, later = Pending(), Pending()
    for number in range(50):
        later.buckets["schools", "nyvang"].add(1, {number})
        earlier.buckets["schools", "nyvang"].add(1, {50 + number})
    later.put_back(earlier)
    (delta,) = later.buckets.values()
    assert (delta.value, len(delta.accounts)) == (100, MIN_ACCOUNTS)


@pytest.mark.django_db
def test_nothing_is_lost_while_the_database_is_away(caplog: pytest.LogCaptureFixture) -> None:
    def refuse(*_: Any) -> Any:
        raise OSError("the database is away")

    count("login", account=1, school="nyvang")
    with connection.execute_wrapper(refuse):
        for account in range(2, 12):
            assert not flush()
            count("login", account=account, school="nyvang")
    assert flush()
    assert value("login") == 11
    row = Bucket.objects.get(histogram="schools")
    assert (row.value, row.enough) == (11, True)
    # One line an outage, without the text of the database error.
    assert caplog.messages == ["statistics wait for the database: OSError"]


@pytest.mark.django_db
def test_a_flush_that_fails_half_way_writes_nothing() -> None:
    statements = 0

    def refuse_the_fifth(execute: Any, *call: Any) -> Any:
        nonlocal statements
        statements += 1
        if statements == 5:
            raise OSError("cut")
        return execute(*call)

    count("api_call")
    count("login", account=1, school="nyvang")
    with connection.execute_wrapper(refuse_the_fifth), transaction.atomic():
        assert not flush()
    assert not Counter.objects.exists()
    assert flush()
    assert (value("api_call"), value("login"), buckets("schools")) == (1, 1, {"nyvang": 1})
