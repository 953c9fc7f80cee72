"""Nothing about fewer than ten accounts can be derived from the public totals."""

import random
from collections import defaultdict
from typing import Any

import pytest
import time_machine

from stats.counters import count, flush
from stats.facts import HISTOGRAMS, OTHER
from stats.limits import MIN_ACCOUNTS
from stats.totals import read_totals

pytestmark = pytest.mark.django_db

TOTAL_OF = dict.fromkeys(HISTOGRAMS, "totalLogins") | {"messageHours": "totalMessagesSent"}


def test_a_shown_bucket_has_ten_accounts_and_the_rest_is_only_a_sum() -> None:
    chance = random.Random(20261121)
    contributors: dict[tuple[str, str], set[int]] = defaultdict(set)
    with time_machine.travel("2026-11-16T00:30:00Z", tick=False) as clock:
        for _ in range(12):
            clock.shift(chance.randrange(3600, 9 * 3600))
            for _ in range(chance.randrange(1, 12)):
                account, school = chance.randrange(30), chance.choice("abcdef")
                count("login", account=account, school=f"school-{school}")
                count("message", account=account)
                contributors["schools", f"school-{school}"].add(account)
            flush()
            seen = read_totals()
            for histogram, total in TOTAL_OF.items():
                assert sum(seen[histogram].values()) == seen[total]
            for school in set(seen["schools"]) - {OTHER}:
                assert len(contributors["schools", school]) >= MIN_ACCOUNTS
    assert set(seen["schools"]) > {OTHER}


def test_a_count_in_a_suppressed_bucket_changes_only_other() -> None:
    for account in range(MIN_ACCOUNTS):
        count("login", account=account, school="large")
    for account in range(MIN_ACCOUNTS - 2):
        count("login", account=account, school="small")
    count("login", account=1, school="tiny")
    flush()
    before = read_totals()["schools"]
    count("login", account=8, school="small")
    count("login", account=0, school="new")
    flush()
    assert before == {"large": 10, OTHER: 9}
    assert read_totals()["schools"] == {"large": 10, OTHER: 11}


def test_a_single_suppressed_bucket_hides_behind_the_next_smallest() -> None:
    for school, accounts in (("large", 30), ("middle", 12), ("small", 3)):
        for account in range(accounts):
            count("login", account=account, school=school)
    flush()
    assert read_totals()["schools"] == {"large": 30, OTHER: 15}


def test_with_two_schools_one_login_does_not_show_at_which() -> None:
    for account in range(MIN_ACCOUNTS):
        count("login", account=account, school="large")
    count("login", account=1, school="small")
    flush()
    assert read_totals()["schools"] == {OTHER: 11}


def test_the_number_of_suppressed_accounts_does_not_show() -> None:
    def seen(accounts: list[int]) -> dict[str, Any]:
        for account in accounts:
            count("login", account=account, school="small")
        flush()
        return read_totals()

    many = seen([1, 2, 3, 4])
    few = seen([5, 5, 5, 5])
    differences = {name: few[name] - many[name] for name in many if isinstance(many[name], int)}
    assert {name: value for name, value in differences.items() if value} == {"totalLogins": 4}
    assert (many["schools"], few["schools"]) == ({OTHER: 4}, {OTHER: 8})
