"""A term: nothing false is told, nothing is missed, and the budget holds.

The school's system really answers; only time is compressed. A week of the term runs with the
other tests; `make soak` runs 20 weeks of 200 pupils.
"""

import os
from datetime import date, datetime, time, timedelta

import pytest
from pytest_django.fixtures import Settings

from tests.schoolproxy.term import Term
from tests.schoolproxy.told import (
    most_within,
    notices_of_dead_logins,
    told_of_lessons,
    told_of_rows,
)
from tests.schoolproxy.watching import STOCKHOLM, clock
from upstream.simulator.server import Simulator

PUPILS, WEEKS, MINUTES, SEED = 5, 1, 240, 11
if os.environ.get("SOAK"):
    PUPILS, WEEKS, MINUTES, SEED = 200, 20, 240, 20260316
# The clocks change on 29 March, and weeks 29 to 31 are holidays.
FIRST_DAY = date(2026, 3, 23)
FRIDAY_BEFORE = FIRST_DAY - timedelta(days=3)

pytestmark = [pytest.mark.soak, pytest.mark.slow, pytest.mark.django_db]


def test_a_term_is_told_as_it_happened(simulator: Simulator, settings: Settings) -> None:
    settings.WATCH_MINUTES = 60  # until each list was seen
    settings.RATE_LIMITS = False
    with clock(datetime.combine(FRIDAY_BEFORE, time(6), STOCKHOLM)) as traveller:
        term = Term(simulator, traveller, pupils=PUPILS, seed=SEED)
        begin = term.now().timestamp()
        term.day(FRIDAY_BEFORE, eventful=False)
        settings.WATCH_MINUTES = MINUTES
        for number in range(7 * WEEKS):
            today = FIRST_DAY + timedelta(days=number)
            if number == 7 * WEEKS // 2:
                term.end_login()
            term.day(today, eventful=today.weekday() < 5)
        # Everything that happened can be told by the end of the next school day.
        for number in range(2):
            term.day(FIRST_DAY + timedelta(days=7 * WEEKS + number), eventful=False)
        books = term.books
        for account in term.people:
            single, emptied = told_of_lessons(account)
            rows = told_of_rows(account)
            if account in books.dead:
                assert notices_of_dead_logins(account) == 1
                assert single <= books.expected[account]
                assert rows <= books.rows[account]
                continue
            assert notices_of_dead_logins(account) == 0
            assert single == books.expected[account]
            assert sorted(map(sorted, emptied)) == sorted(map(sorted, books.emptied[account]))
            assert rows == books.rows[account]
        requests = [each.at for each in simulator.requests if each.at >= begin]
        assert requests
        # As of any rate limit, one of its minutes may end as the next begins.
        for minutes in (1, 10):
            allowed = (minutes + 1) * settings.WATCH_REQUESTS_PER_MINUTE
            assert most_within(60 * minutes, requests) <= allowed
        assert sum(map(len, books.expected.values())) > 3 * WEEKS
        happened = {kind for rows in books.rows.values() for kind, _ in rows}
        assert happened == {"assignment", "missing", "result", "news", "inbox"}
