"""Circuit breaker, bulkhead and retry budget of one school together; the table of all schools."""

import contextvars
import threading
import time
from contextlib import ExitStack
from dataclasses import replace

import pytest

from upstream.config import UpstreamConfig
from upstream.errors import BulkheadFull, CircuitOpen
from upstream.resilience.circuit_breaker import Outcome
from upstream.resilience.school_guard import (
    MAX_GUARDS,
    MAX_RETRIES,
    TRAFFIC_SECONDS,
    SchoolGuard,
    SchoolGuards,
)

CONFIG = UpstreamConfig(base_url="https://sms.example")


def make_guard() -> SchoolGuard:
    return SchoolGuard(replace(CONFIG, threads=2, max_in_flight=40), time.monotonic)


def fail(guard: SchoolGuard, times: int) -> None:
    for _ in range(times):
        guard.end_attempt(guard.begin_attempt(), Outcome.FAILURE)


def test_an_error_inside_releases_the_slot() -> None:
    guard = make_guard()
    for _ in range(3):
        with pytest.raises(RuntimeError), guard.slot():
            raise RuntimeError
    assert guard.idle


def test_a_call_uses_the_slot_that_its_context_has() -> None:
    guard = make_guard()
    slot = guard.acquire()

    def call() -> None:
        slot.use_in_this_context()
        with guard.slot():
            pass

    contextvars.copy_context().run(call)
    slot.release()
    assert guard.idle


def test_an_open_circuit_refuses_before_any_waiting() -> None:
    guard = make_guard()
    guard.pause(7)
    with pytest.raises(CircuitOpen) as caught, guard.slot():
        pass
    assert caught.value.retry_after == 7
    with pytest.raises(CircuitOpen), guard.request_scope():
        pass


def test_an_open_circuit_allows_no_retry() -> None:
    guard = make_guard()
    guard.pause(7)
    assert not guard.may_retry()


def test_each_call_adds_to_the_retry_budget() -> None:
    guard = make_guard()
    assert guard.may_retry()
    assert not guard.may_retry()
    for _ in range(13):
        with guard.slot():
            pass
    assert guard.may_retry()


def test_retries_stay_under_a_tenth_of_the_calls() -> None:
    guard = make_guard()
    retries = 0
    for _ in range(500):
        guard.acquire().release()
        retries += guard.may_retry()
    assert 0 < retries < 50


def test_saved_retries_are_bounded() -> None:
    guard = make_guard()
    for _ in range(1000):
        guard.acquire().release()
    assert sum(guard.may_retry() for _ in range(1000)) == MAX_RETRIES


def test_a_request_that_fans_out_counts_as_one_failure() -> None:
    guard, other = make_guard(), make_guard()
    for _ in range(4):
        with guard.request_scope():
            fail(guard, 5)
    assert not guard.circuit_open
    with guard.request_scope():
        fail(other, 5)
        assert other.circuit_open, "the request scope of one school does not apply to another"
        fail(guard, 1)
    assert guard.circuit_open


def test_calls_of_a_request_scope_in_many_threads_count_as_one_failure() -> None:
    guard = make_guard()
    with guard.request_scope():
        threads = [
            threading.Thread(target=contextvars.copy_context().run, args=(fail, guard, 10))
            for _ in range(4)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(5)
    assert not guard.circuit_open


def test_a_failed_probe_counts_in_a_request_scope_that_has_failed_before() -> None:
    now = [1000.0]
    guard = SchoolGuard(CONFIG, lambda: now[0])
    with guard.request_scope():
        fail(guard, 1)
        guard.pause(1)
        now[0] += 1
        fail(guard, 1)
        with pytest.raises(CircuitOpen):
            guard.begin_attempt()


def test_each_school_has_its_own_guard() -> None:
    guards = SchoolGuards(CONFIG, time.monotonic)
    assert guards.of("a") is guards.of("a")
    assert len({id(guards.of(key)) for key in ("a", "b", None)}) == 3


def test_a_school_is_alone_until_another_one_is_called() -> None:
    now = [1000.0]
    guards = SchoolGuards(replace(CONFIG, threads=4, wait_seconds=0), lambda: now[0])
    guard = guards.of("a")
    guards.of(None)  # the school list

    def held_at_once() -> int:
        with ExitStack() as held:
            for number in range(4):
                try:
                    held.callback(guard.acquire().release)
                except BulkheadFull:
                    return number
        return 4

    assert held_at_once() == 3
    guards.of("b")
    assert held_at_once() == 2
    now[0] += TRAFFIC_SECONDS + 1
    guards.of("a")
    assert held_at_once() == 3


def test_the_table_is_bounded_and_keeps_schools_with_an_open_circuit() -> None:
    guards = SchoolGuards(CONFIG, time.monotonic)
    failing, unused = guards.of("failing"), guards.of("unused")
    fail(failing, 5)
    for number in range(MAX_GUARDS):
        guards.of(f"unknown{number}")
    assert guards.any_circuit_open()
    assert guards.of("failing") is failing
    assert guards.of("unused") is not unused
