"""The breaker, by a clock that tests turn."""

import pytest

from upstream.breaker import PROBES, Breaker, Outcome
from upstream.errors import CircuitOpen


class Clock:
    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def breaker(clock: Clock) -> Breaker:
    return Breaker(clock)


def call(breaker: Breaker, *outcomes: Outcome) -> None:
    for outcome in outcomes:
        breaker.record(breaker.admit(), outcome)


FAILED, WENT_WELL, UNKNOWN = Outcome.FAILURE, Outcome.SUCCESS, Outcome.UNKNOWN


def opened(breaker: Breaker, clock: Clock) -> None:
    call(breaker, *[FAILED] * 5)
    assert not breaker.closed


def test_five_failures_in_a_row_open_it(breaker: Breaker) -> None:
    call(breaker, *[FAILED] * 4, WENT_WELL, *[FAILED] * 4)
    assert breaker.closed
    call(breaker, FAILED)
    with pytest.raises(CircuitOpen) as caught:
        breaker.admit()
    assert caught.value.retry_after == 10


def test_half_of_twenty_within_ten_seconds_open_it(breaker: Breaker) -> None:
    call(breaker, *[WENT_WELL, FAILED] * 9, WENT_WELL)
    assert breaker.closed
    call(breaker, FAILED)
    assert not breaker.closed


def test_less_than_half_leave_it_closed(breaker: Breaker) -> None:
    call(breaker, *[WENT_WELL, WENT_WELL, FAILED] * 20)
    assert breaker.closed


def test_failures_older_than_ten_seconds_are_forgotten(breaker: Breaker, clock: Clock) -> None:
    call(breaker, *[FAILED, WENT_WELL] * 9)
    clock.now += 11
    call(breaker, WENT_WELL, FAILED, WENT_WELL, FAILED)
    assert breaker.closed


def test_what_says_nothing_counts_nothing(breaker: Breaker) -> None:
    call(breaker, *[FAILED] * 4, *[UNKNOWN] * 40, FAILED)
    assert not breaker.closed


def test_after_ten_seconds_three_probes_go_through(breaker: Breaker, clock: Clock) -> None:
    opened(breaker, clock)
    clock.now += 9.5
    with pytest.raises(CircuitOpen):
        breaker.admit()
    clock.now += 0.5
    for _ in range(PROBES):
        breaker.admit()
    with pytest.raises(CircuitOpen) as caught:
        breaker.admit()
    assert caught.value.retry_after == 1


def test_a_probe_that_goes_well_closes_it(breaker: Breaker, clock: Clock) -> None:
    opened(breaker, clock)
    clock.now += 10
    call(breaker, WENT_WELL)
    assert breaker.closed
    call(breaker, *[FAILED] * 4)
    assert breaker.closed


def test_a_probe_that_fails_opens_it_again(breaker: Breaker, clock: Clock) -> None:
    opened(breaker, clock)
    clock.now += 10
    call(breaker, FAILED)
    clock.now += 9
    with pytest.raises(CircuitOpen):
        breaker.admit()
    clock.now += 1
    breaker.admit()


def test_a_probe_that_says_nothing_gives_its_place_back(breaker: Breaker, clock: Clock) -> None:
    opened(breaker, clock)
    clock.now += 10
    call(breaker, *[UNKNOWN] * 10)
    assert not breaker.closed
    breaker.admit()


def test_calls_from_before_it_opened_change_nothing(breaker: Breaker, clock: Clock) -> None:
    late = [breaker.admit() for _ in range(8)]
    opened(breaker, clock)
    for era in late:
        breaker.record(era, WENT_WELL)
    assert not breaker.closed
    clock.now += 10
    breaker.record(late[0], FAILED)
    breaker.admit()  # still half open
