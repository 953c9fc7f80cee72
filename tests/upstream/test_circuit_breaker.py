"""The circuit breaker, with a clock that the tests move."""

import pytest

from upstream.errors import CircuitOpen
from upstream.resilience.circuit_breaker import PROBES, CircuitBreaker, Outcome


class Clock:
    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def breaker(clock: Clock) -> CircuitBreaker:
    return CircuitBreaker(clock)


@pytest.fixture
def open_breaker(breaker: CircuitBreaker) -> CircuitBreaker:
    call(breaker, *[FAILURE] * 5)
    assert not breaker.closed
    return breaker


def call(breaker: CircuitBreaker, *outcomes: Outcome) -> None:
    for outcome in outcomes:
        breaker.record(breaker.begin(), outcome)


FAILURE, SUCCESS, UNKNOWN = Outcome.FAILURE, Outcome.SUCCESS, Outcome.UNKNOWN


def test_five_failures_in_a_row_open_it(breaker: CircuitBreaker) -> None:
    call(breaker, *[FAILURE] * 4, SUCCESS, *[FAILURE] * 4)
    assert breaker.closed
    call(breaker, FAILURE)
    with pytest.raises(CircuitOpen) as caught:
        breaker.begin()
    assert caught.value.retry_after == 10


def test_half_of_twenty_calls_within_ten_seconds_open_it(breaker: CircuitBreaker) -> None:
    call(breaker, *[SUCCESS, FAILURE] * 9, SUCCESS)
    assert breaker.closed
    call(breaker, FAILURE)
    assert not breaker.closed


def test_fewer_failures_than_half_leave_it_closed(breaker: CircuitBreaker) -> None:
    call(breaker, *[SUCCESS, SUCCESS, FAILURE] * 20)
    assert breaker.closed


def test_failures_older_than_ten_seconds_are_forgotten(
    breaker: CircuitBreaker, clock: Clock
) -> None:
    call(breaker, *[FAILURE, SUCCESS] * 9)
    clock.now += 11
    call(breaker, SUCCESS, FAILURE, SUCCESS, FAILURE)
    assert breaker.closed


def test_unknown_outcomes_are_not_counted(breaker: CircuitBreaker) -> None:
    call(breaker, *[FAILURE] * 4, *[UNKNOWN] * 40, FAILURE)
    assert not breaker.closed


def test_three_probes_go_through_after_ten_seconds(
    open_breaker: CircuitBreaker, clock: Clock
) -> None:
    clock.now += 9.5
    with pytest.raises(CircuitOpen):
        open_breaker.begin()
    clock.now += 0.5
    for _ in range(PROBES):
        open_breaker.begin()
    with pytest.raises(CircuitOpen) as caught:
        open_breaker.begin()
    assert caught.value.retry_after == 1


def test_a_successful_probe_closes_it(open_breaker: CircuitBreaker, clock: Clock) -> None:
    clock.now += 10
    call(open_breaker, SUCCESS)
    assert open_breaker.closed
    call(open_breaker, *[FAILURE] * 4)
    assert open_breaker.closed


def test_a_failed_probe_opens_it_again(open_breaker: CircuitBreaker, clock: Clock) -> None:
    clock.now += 10
    call(open_breaker, FAILURE)
    clock.now += 9
    with pytest.raises(CircuitOpen):
        open_breaker.begin()
    clock.now += 1
    open_breaker.begin()


def test_a_probe_with_an_unknown_outcome_allows_another(
    open_breaker: CircuitBreaker, clock: Clock
) -> None:
    clock.now += 10
    call(open_breaker, *[UNKNOWN] * 10)
    assert not open_breaker.closed
    open_breaker.begin()


def test_calls_from_before_it_opened_change_nothing(breaker: CircuitBreaker, clock: Clock) -> None:
    generations = [breaker.begin() for _ in range(8)]
    call(breaker, *[FAILURE] * 5)
    for generation in generations:
        breaker.record(generation, SUCCESS)
    assert not breaker.closed
    clock.now += 10
    breaker.record(generations[0], FAILURE)
    breaker.begin()  # still half-open
