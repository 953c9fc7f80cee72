"""Buckets with fewer than ten accounts are suppressed."""

import pytest
import time_machine
from pytest_django import Settings

from accounts.purging import purge_contributors
from stats.counters import count, flush
from stats.models import Bucket
from stats.totals import contributor_hash, read_totals

pytestmark = pytest.mark.django_db


def login(*accounts: int, school: str = "nyvang") -> None:
    for account in accounts:
        count("login", account=account, school=school)
    flush()


def test_one_account_many_times_stays_suppressed() -> None:
    for _ in range(2):
        login(*[1] * 50)
    assert read_totals()["schools"] == {"other": 100}


def test_a_bucket_is_shown_with_its_tenth_account() -> None:
    login(*range(9))
    assert read_totals()["schools"] == {"other": 9}
    login(9)
    assert read_totals()["schools"] == {"nyvang": 10}


def test_a_count_without_an_account_adds_no_contributor() -> None:
    for _ in range(20):
        count("login", school="nyvang")
    flush()
    assert read_totals()["schools"] == {"other": 20}


def test_the_tenth_account_clears_the_contributors() -> None:
    login(*range(9))
    assert len(Bucket.objects.get(histogram="schools").contributors) == 9
    login(9, 10, 11)
    row = Bucket.objects.get(histogram="schools")
    assert (row.contributors, row.enough) == ([], True)


def test_a_contributor_has_another_hash_in_every_bucket() -> None:
    login(5)
    login(5, school="soderport")
    seen = [text for row in Bucket.objects.all() for text in row.contributors]
    assert len(seen) == len(set(seen)) == 5
    assert "5" not in seen


def test_the_hash_depends_on_the_secret_key(settings: Settings) -> None:
    before = contributor_hash(("schools", "nyvang"), 5)
    settings.SECRET_KEY = "another"
    assert contributor_hash(("schools", "nyvang"), 5) != before


def test_contributors_of_past_dates_are_cleared() -> None:
    for day in ("2026-11-18", "2026-11-19", "2026-11-20"):
        with time_machine.travel(f"{day}T08:00:00Z", tick=False):
            login(1, 2)
    left = Bucket.objects.filter(histogram="peakDates").order_by("bucket")
    assert [(row.bucket, len(row.contributors)) for row in left] == [
        ("2026-11-18", 0),
        ("2026-11-19", 2),  # a slow writer may still add to yesterday
        ("2026-11-20", 2),
    ]
    assert read_totals()["peakDates"] == {"other": 6}


def test_the_purge_clears_them_where_nobody_signs_in_any_more() -> None:
    with time_machine.travel("2026-11-18T12:00:00Z", tick=False) as clock:
        login(1)
        clock.move_to("2026-11-19T12:00:00Z")
        assert purge_contributors().expired == 0
        clock.move_to("2026-11-20T12:00:00Z")
        assert purge_contributors(dry_run=True).expired == 1
        assert purge_contributors().expired == 1
        assert purge_contributors().expired == 0
    row = Bucket.objects.get(histogram="peakDates")
    assert (row.value, row.contributors, row.enough) == (1, [], False)
    assert len(Bucket.objects.get(histogram="schools").contributors) == 1
