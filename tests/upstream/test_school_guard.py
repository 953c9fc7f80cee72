"""Threads, calls in flight and circuit breaker of one school; the table of all schools."""

import contextvars
import threading
import time
from collections.abc import Callable
from contextlib import AbstractContextManager, ExitStack
from typing import Any

import pytest

from tests.concurrency import wait_until
from upstream.config import UpstreamConfig
from upstream.errors import BulkheadFull, CircuitOpen
from upstream.person import on_behalf_of
from upstream.school_guard import MAX_GUARDS, SchoolGuard, SchoolGuards

CONFIG = UpstreamConfig(base_url="https://sms.example")
Hold = Callable[[], AbstractContextManager[None]]


def make_guard(**options: Any) -> SchoolGuard:
    config = UpstreamConfig(base_url="https://sms.example", **({"wait_seconds": 0.1} | options))
    return SchoolGuard(config, time.monotonic)


class Holders:
    """Threads that each hold something until the block ends."""

    def __init__(self) -> None:
        self.release = threading.Event()
        self.refused: list[BulkheadFull] = []
        self._threads: list[threading.Thread] = []

    def start(self, hold: Hold, count: int, *, person: str | None = None) -> None:
        """Start threads in the current context, each for another person or all for one, and wait
        until each holds it or was refused."""
        for number in range(count):
            assert self.begin(hold, person or f"person {number}").wait(30)

    def begin(self, hold: Hold, person: str) -> threading.Event:
        """Start a thread; returns what is set as soon as it holds it or was refused."""
        decided = threading.Event()
        context = contextvars.copy_context()
        thread = threading.Thread(target=context.run, args=(self._hold, hold, person, decided))
        thread.start()
        self._threads.append(thread)
        return decided

    def _hold(self, hold: Hold, person: str, decided: threading.Event) -> None:
        try:
            with on_behalf_of(person), hold():
                decided.set()
                self.release.wait(30)
        except BulkheadFull as error:
            self.refused.append(error)
        finally:
            decided.set()

    def __enter__(self) -> "Holders":
        return self

    def __exit__(self, *_: object) -> None:
        self.release.set()
        for thread in self._threads:
            thread.join(30)


def test_a_school_holds_at_most_half_of_the_threads() -> None:
    guard = make_guard(threads=10)
    with Holders() as holders:
        holders.start(guard.request_scope, 5)
        assert not holders.refused
        began = time.monotonic()
        with (
            pytest.raises(BulkheadFull, match="of the threads"),
            guard.request_scope(),
        ):
            pass
        assert time.monotonic() - began > 0.08
    with guard.request_scope():
        pass


def test_a_waiting_request_gets_the_thread_that_becomes_free() -> None:
    guard = make_guard(threads=4, wait_seconds=30)
    with Holders() as holders:
        holders.start(guard.request_scope, 2)
        threading.Timer(0.05, holders.release.set).start()
        with guard.request_scope():
            pass


@pytest.mark.parametrize(("one_person", "refused"), [(False, 60 - 48), (True, 60 - 36)])
def test_a_school_that_hangs_leaves_a_quarter_of_the_threads_to_other_schools(
    one_person: bool, refused: int
) -> None:
    """Who waits holds a thread, too. One person leaves a quarter of the school's to the others."""
    guard = make_guard(threads=64, wait_seconds=60)
    with Holders() as holders:
        for number in range(60):
            holders.begin(guard.request_scope, "elsa" if one_person else f"person {number}")
        wait_until(lambda: len(holders.refused) >= refused)
        if one_person:
            holders.start(guard.request_scope, 8)
        assert {str(error) for error in holders.refused} == {
            f"this {'person' if one_person else 'school'} has its share of the queue"
        }
    assert len(holders.refused) == refused


def test_one_person_leaves_a_quarter_of_the_schools_threads_for_the_others() -> None:
    guard = make_guard(threads=64)
    with Holders() as holders:
        holders.start(guard.request_scope, 30, person="elsa")
        assert len(holders.refused) == 30 - 24
        holders.start(guard.request_scope, 8)
        assert len(holders.refused) == 6


def test_one_person_has_as_many_calls_in_flight_as_one_request() -> None:
    guard = make_guard(max_in_flight=5, per_request=3)
    with Holders() as holders:
        holders.start(guard.slot, 4, person="elsa")
        assert [str(error) for error in holders.refused] == [
            "this person has its share of the calls"
        ]
        holders.start(guard.slot, 2)
        assert len(holders.refused) == 1


def test_the_wait_for_a_slot_is_bounded() -> None:
    guard = make_guard(max_in_flight=2)
    with Holders() as holders:
        holders.start(guard.slot, 2)
        began = time.monotonic()
        with pytest.raises(BulkheadFull, match="school has its share of the calls"), guard.slot():
            pass
        assert time.monotonic() - began > 0.08
    with guard.slot():
        pass


def test_a_waiting_call_gets_the_slot_that_becomes_free() -> None:
    guard = make_guard(max_in_flight=1, wait_seconds=30)
    with Holders() as holders:
        holders.start(guard.slot, 1)
        threading.Timer(0.05, holders.release.set).start()
        with guard.slot():
            pass


def test_a_request_scope_holds_one_thread_whatever_it_sends() -> None:
    guard = make_guard(threads=2, per_request=8)
    with guard.request_scope(), Holders() as holders:
        holders.start(guard.slot, 8)
        assert not holders.refused
        other_request = contextvars.Context()
        with pytest.raises(BulkheadFull):
            other_request.run(ExitStack().enter_context, guard.slot())


def test_a_request_scope_has_no_more_slots_than_one_request_may_have() -> None:
    guard = make_guard(per_request=3)
    with guard.request_scope(), Holders() as holders:
        holders.start(guard.slot, 3)
        with pytest.raises(BulkheadFull):
            guard.acquire()
    with guard.request_scope(), guard.slot():
        pass


def test_a_nested_request_scope_is_the_same_scope() -> None:
    guard = make_guard(threads=2)
    with guard.request_scope(), guard.request_scope(), guard.slot():
        pass
    with guard.slot():
        pass


def test_the_request_scope_of_one_school_does_not_apply_to_another() -> None:
    one, other = make_guard(threads=2), make_guard(threads=2)
    with one.request_scope(), Holders() as holders:
        holders.start(other.slot, 1)
        with pytest.raises(BulkheadFull), other.slot():
            pass


def test_an_error_inside_releases_everything() -> None:
    guard = make_guard(threads=2, max_in_flight=1)
    for _ in range(3):
        with pytest.raises(RuntimeError), guard.slot():
            raise RuntimeError
    with guard.slot():
        pass


def test_a_call_uses_the_slot_that_its_context_has() -> None:
    guard = make_guard(max_in_flight=1)

    def call() -> None:
        guard.use_slot()
        with guard.slot():
            pass

    with guard.request_scope():
        slot = guard.acquire()
        contextvars.copy_context().run(call)
        with pytest.raises(BulkheadFull), guard.slot():
            pass
        slot.close()
        with guard.slot():
            pass


def test_an_open_circuit_refuses_before_any_waiting() -> None:
    guard = make_guard(wait_seconds=60)
    for person in ("elsa", "bo", "alva"):
        guard.breaker.failed(person, wait_seconds=17)
    with pytest.raises(CircuitOpen) as caught, guard.slot():
        pass
    assert caught.value.retry_after == 17
    with pytest.raises(CircuitOpen), guard.request_scope():
        pass


def test_each_school_has_its_own_guard() -> None:
    guards = SchoolGuards(CONFIG, time.monotonic)
    assert guards.of("a") is guards.of("a")
    assert len({id(guards.of(key)) for key in ("a", "b", None)}) == 3


def test_the_table_is_bounded() -> None:
    guards = SchoolGuards(CONFIG, time.monotonic)
    kept, unused = guards.of("kept"), guards.of("unused")
    for number in range(MAX_GUARDS - 2):
        guards.of(f"unknown{number}")
    assert guards.of("kept") is kept
    guards.of("one more")
    assert guards.of("kept") is kept
    assert guards.of("unused") is not unused
