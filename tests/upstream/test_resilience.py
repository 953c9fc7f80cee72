"""Bulkhead, lanes, retry budget, and the table of gates."""

import contextvars
import threading
import time
from collections.abc import Callable
from contextlib import AbstractContextManager, ExitStack

import pytest

from upstream import resilience
from upstream.breaker import Outcome
from upstream.errors import BulkheadFull, CircuitOpen
from upstream.resilience import Gate, Gates, Limits


def gate(in_flight: int = 64, per_request: int = 40, threads: int = 32, wait: float = 0.1) -> Gate:
    limits = Limits(in_flight=in_flight, per_request=per_request, threads=threads, wait=wait)
    return Gate(limits, time.monotonic)


class Crowd:
    """Threads that each hold a place until the crowd leaves."""

    def __init__(self) -> None:
        self.leave = threading.Event()
        self.refused: list[Exception] = []
        self._threads: list[threading.Thread] = []

    def enter(self, place: Callable[[], AbstractContextManager[None]], count: int) -> None:
        for _ in range(count):
            inside = threading.Event()
            context = contextvars.copy_context()
            thread = threading.Thread(target=context.run, args=(self._hold, place, inside))
            thread.start()
            self._threads.append(thread)
            assert inside.wait(3)

    def _hold(
        self, place: Callable[[], AbstractContextManager[None]], inside: threading.Event
    ) -> None:
        try:
            with place():
                inside.set()
                self.leave.wait(5)
        except (BulkheadFull, CircuitOpen) as error:
            self.refused.append(error)
        finally:
            inside.set()

    def __enter__(self) -> "Crowd":
        return self

    def __exit__(self, *_: object) -> None:
        self.leave.set()
        for thread in self._threads:
            thread.join(5)


def test_one_school_never_holds_more_than_its_share_of_the_threads() -> None:
    school = gate(threads=3, wait=60)  # longer than the crowd stays: who waited would get in
    with Crowd() as crowd:
        crowd.enter(school.place, 3)
        with pytest.raises(BulkheadFull, match="threads"), school.place():
            pass
    with school.place():
        pass


def test_who_finds_no_place_in_flight_waits_a_bounded_time() -> None:
    school = gate(in_flight=2)
    with Crowd() as crowd:
        crowd.enter(school.place, 2)
        began = time.monotonic()
        with pytest.raises(BulkheadFull, match="in flight"), school.place():
            pass
        assert time.monotonic() - began > 0.08


def test_who_waits_gets_the_place_that_comes_free() -> None:
    school = gate(in_flight=1, wait=3)
    with Crowd() as crowd:
        crowd.enter(school.place, 1)
        threading.Timer(0.05, crowd.leave.set).start()
        with school.place():
            pass


def test_a_lane_holds_one_thread_whatever_it_sends() -> None:
    school = gate(threads=1, per_request=8)
    with school.request_scope(), Crowd() as crowd:
        crowd.enter(school.place, 8)
        assert not crowd.refused
        other = contextvars.Context()
        with pytest.raises(BulkheadFull):
            other.run(ExitStack().enter_context, school.place())


def test_a_lane_has_no_more_places_than_one_request_may_have() -> None:
    school = gate(per_request=3)
    with school.request_scope(), Crowd() as crowd:
        crowd.enter(school.place, 3)
        with pytest.raises(BulkheadFull), school.place():
            pass
    with school.request_scope(), school.place():
        pass


def test_lanes_share_what_the_school_may_have_in_flight() -> None:
    school = gate(in_flight=4, per_request=3)
    with Crowd() as crowd:
        with school.request_scope():
            crowd.enter(school.place, 3)
        with school.request_scope():
            crowd.enter(school.place, 2)
        assert len(crowd.refused) == 1


def test_a_lane_inside_a_lane_is_the_same_lane() -> None:
    school = gate(threads=1)
    with school.request_scope(), school.request_scope(), school.place():
        pass
    with school.place():
        pass


def test_the_lane_of_one_school_says_nothing_about_another() -> None:
    one, other = gate(threads=1), gate(threads=1)
    with one.request_scope(), Crowd() as crowd:
        crowd.enter(other.place, 1)
        with pytest.raises(BulkheadFull), other.place():
            pass


def test_an_error_inside_gives_the_place_back() -> None:
    school = gate(threads=1, in_flight=1)
    for _ in range(3):
        with pytest.raises(RuntimeError), school.place():
            raise RuntimeError
    assert school.idle


def test_an_open_breaker_is_seen_before_any_waiting() -> None:
    school = gate()
    school.cool(7)
    with pytest.raises(CircuitOpen) as caught, school.place():
        pass
    assert caught.value.retry_after == 7
    with pytest.raises(CircuitOpen), school.request_scope():
        pass
    assert not school.may_retry()


def fail(school: Gate, times: int) -> None:
    for _ in range(times):
        school.end(school.begin(), Outcome.FAILURE)


def test_a_request_that_fans_out_counts_as_one_failure() -> None:
    school, other = gate(), gate()
    for _ in range(4):
        with school.request_scope():
            fail(school, 5)
    assert not school.troubled
    with school.request_scope():
        fail(other, 5)
        assert other.troubled, "the lane of one school says nothing about another"
        fail(school, 1)
    assert school.troubled


def test_calls_of_a_lane_in_many_threads_count_as_one_failure() -> None:
    school = gate()
    with school.request_scope():
        threads = [
            threading.Thread(target=contextvars.copy_context().run, args=(fail, school, 10))
            for _ in range(4)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(5)
    assert not school.troubled


def test_a_probe_of_a_lane_that_has_failed_before_counts() -> None:
    now = [1000.0]
    school = Gate(Limits(), lambda: now[0])
    with school.request_scope():
        fail(school, 1)
        school.cool(1)
        now[0] += 1
        fail(school, 1)
        with pytest.raises(CircuitOpen):
            school.begin()


def test_retries_stay_under_a_tenth_of_the_calls() -> None:
    school = gate()
    retries = 0
    for _ in range(500):
        with school.place():
            retries += school.may_retry()
    assert 0 < retries < 50


def test_a_quiet_school_has_one_retry_in_hand() -> None:
    school = gate()
    with school.place():
        assert school.may_retry()
        assert not school.may_retry()


def test_schools_do_not_share_a_gate() -> None:
    gates = Gates(Limits(), time.monotonic)
    assert gates.of("a") is gates.of("a")
    assert len({id(gates.of(key)) for key in ("a", "b", None)}) == 3


def test_the_table_of_gates_is_bounded_and_keeps_what_matters(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(resilience, "MAX_GATES", 5)
    gates = Gates(Limits(), time.monotonic)
    broken = gates.of("broken")
    for _ in range(5):
        broken.end(broken.begin(), Outcome.FAILURE)
    for number in range(50):
        gates.of(f"unknown{number}")
    assert len(gates._gates) == 5
    assert gates.of("broken") is broken
