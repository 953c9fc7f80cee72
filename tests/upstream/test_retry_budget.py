"""The retry budget of one school."""

import time

from upstream.config import UpstreamConfig
from upstream.resilience.school_guard import MAX_RETRIES, SchoolGuard


def make_guard() -> SchoolGuard:
    return SchoolGuard(UpstreamConfig(base_url="https://sms.example"), time.monotonic)


def test_retries_stay_under_a_tenth_of_the_calls() -> None:
    guard = make_guard()
    retries = 0
    for _ in range(500):
        guard.acquire().release()
        retries += guard.may_retry()
    assert 0 < retries < 50


def test_a_quiet_school_has_one_retry() -> None:
    guard = make_guard()
    guard.acquire().release()
    assert guard.may_retry()
    assert not guard.may_retry()


def test_saved_retries_are_bounded() -> None:
    guard = make_guard()
    for _ in range(1000):
        guard.acquire().release()
    assert sum(guard.may_retry() for _ in range(1000)) == MAX_RETRIES
