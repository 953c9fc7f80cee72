"""The circuit breaker, with a clock that the tests move."""

import pytest

from upstream.circuit_breaker import OPEN_SECONDS, PEOPLE, CircuitBreaker
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
def breaker(clock: Clock) -> CircuitBreaker:
    return CircuitBreaker(clock)


@pytest.fixture
def half_open(breaker: CircuitBreaker, clock: Clock) -> CircuitBreaker:
    fail(breaker, "elsa", "bo", "alva")
    assert not breaker.closed
    clock.now += OPEN_SECONDS
    return breaker


def fail(breaker: CircuitBreaker, *people: str, wait_seconds: float = 0) -> None:
    for person in people:
        breaker.begin(person)
        breaker.failed(person, wait_seconds=wait_seconds)


def succeed(breaker: CircuitBreaker, *people: str) -> None:
    for person in people:
        breaker.begin(person)
        breaker.succeeded(person)


def retry_after(breaker: CircuitBreaker, person: str = "zoe") -> int:
    with pytest.raises(CircuitOpen) as caught:
        breaker.begin(person)
    return caught.value.retry_after


def test_failures_of_three_people_open_it_for_ten_seconds(breaker: CircuitBreaker) -> None:
    fail(breaker, "elsa", "bo")
    assert breaker.closed
    fail(breaker, "alva")
    assert retry_after(breaker) == 10


@pytest.mark.parametrize("people", [("elsa",), ("elsa", "bo")])
def test_fewer_people_never_open_it(breaker: CircuitBreaker, people: tuple[str, ...]) -> None:
    for _ in range(1000):
        fail(breaker, *people)
    assert breaker.closed


def test_failures_older_than_ten_seconds_are_forgotten(
    breaker: CircuitBreaker, clock: Clock
) -> None:
    fail(breaker, "elsa", "bo")
    clock.now += 10
    fail(breaker, "alva")
    assert breaker.closed
    clock.now += 9
    fail(breaker, "bo", "elsa")
    assert not breaker.closed


def test_it_stays_closed_while_more_others_are_served(breaker: CircuitBreaker) -> None:
    others = [f"served {number}" for number in range(5)]
    fail(breaker, "elsa")
    succeed(breaker, *others, "elsa")
    fail(breaker, "bo", "alva", "omer")
    assert breaker.closed
    fail(breaker, "gun")
    assert not breaker.closed, "five failed, and five others were served"


def test_who_was_served_before_the_failures_does_not_count(breaker: CircuitBreaker) -> None:
    succeed(breaker, *map(str, range(50)))
    fail(breaker, "elsa", "bo", "alva")
    assert not breaker.closed


def test_who_was_served_long_ago_does_not_count(breaker: CircuitBreaker, clock: Clock) -> None:
    fail(breaker, "elsa")
    succeed(breaker, *map(str, range(50)))
    clock.now += 6
    fail(breaker, "elsa", "bo")
    clock.now += 6
    fail(breaker, "alva")
    assert not breaker.closed


def test_it_opens_for_the_shortest_wait_that_upstream_asked_all_of_them_for(
    breaker: CircuitBreaker, clock: Clock
) -> None:
    fail(breaker, "elsa", wait_seconds=300)
    fail(breaker, "bo", wait_seconds=60)
    fail(breaker, "alva", wait_seconds=90)
    assert retry_after(breaker) == 60


def test_one_persons_wait_is_not_that_of_the_others(breaker: CircuitBreaker) -> None:
    fail(breaker, "elsa", wait_seconds=300)
    fail(breaker, "bo", "alva")
    assert retry_after(breaker) == 10


def test_three_people_may_probe_after_ten_seconds(breaker: CircuitBreaker, clock: Clock) -> None:
    fail(breaker, "elsa", "bo", "alva")
    clock.now += 9.5
    assert retry_after(breaker) == 1
    clock.now += 0.5
    for number in range(PEOPLE):
        breaker.begin(str(number))
    assert retry_after(breaker) == 1
    breaker.begin("0")


def test_a_success_closes_it(half_open: CircuitBreaker) -> None:
    succeed(half_open, "zoe")
    assert half_open.closed
    fail(half_open, "elsa", "bo")
    assert half_open.closed


def test_failed_probes_of_three_people_open_it_again(
    half_open: CircuitBreaker, clock: Clock
) -> None:
    fail(half_open, "elsa", "bo", "alva")
    clock.now += 9
    assert retry_after(half_open) == 1
    clock.now += 1
    half_open.begin("elsa")


def test_one_persons_failures_do_not_keep_it_open(half_open: CircuitBreaker) -> None:
    fail(half_open, *["elsa"] * 50)
    succeed(half_open, "bo")
    assert half_open.closed


def test_probes_that_never_ended_make_room_for_others(
    half_open: CircuitBreaker, clock: Clock
) -> None:
    for number in range(PEOPLE):
        half_open.begin(str(number))
    clock.now += 10
    half_open.begin("zoe")


def test_calls_from_before_it_opened_change_nothing(breaker: CircuitBreaker, clock: Clock) -> None:
    people = ["zoe", "gun", "eva", "omer"]
    for person in people:
        breaker.begin(person)
    fail(breaker, "elsa", "bo", "alva")
    breaker.succeeded("zoe")
    assert not breaker.closed
    clock.now += 8
    for person in people[1:]:
        breaker.failed(person)
    clock.now += 2
    breaker.begin("zoe")
