"""The store, in the memory of this process and in Redis."""

import threading
import time
from collections.abc import Iterator
from typing import Any

import pytest
from pytest_django.fixtures import Settings

import store
from store import StoreUnavailable
from tests.concurrency import at_once, crowd
from wrapper_project.settings import cache_settings


@pytest.fixture(params=["memory", "redis"], autouse=True)
def kind(request: pytest.FixtureRequest, settings: Settings) -> Iterator[str]:
    """Each test runs on both."""
    url = request.getfixturevalue("spare_redis") if request.param == "redis" else ""
    settings.CACHES = cache_settings(url)
    store._cache.cache_clear()
    store.clear()
    yield request.param
    store.clear()
    store._cache.cache_clear()


def pause(seconds: float) -> None:
    """Real time: Redis does not follow a frozen clock."""
    threading.Event().wait(seconds)


def test_a_key_expires() -> None:
    assert store.get("key") is None
    store.put("key", b"\x00\xff", 60)
    store.put("short", b"x", 1)
    assert store.get("key") == b"\x00\xff"
    pause(1.1)
    assert store.get("short") is None
    assert store.get("key") == b"\x00\xff"
    store.put("key", b"new", 60)
    assert store.get("key") == b"new"


def test_less_than_a_second_is_a_second() -> None:
    store.put("key", b"x", 0.01)
    assert store.get("key") == b"x"


def test_it_deletes_several_and_none() -> None:
    store.put("1", b"1", 60)
    store.put("2", b"2", 60)
    store.delete()
    store.delete("1", "2", "missing")
    assert store.get("1") is store.get("2") is None


def test_it_gets_those_that_exist() -> None:
    store.put("1", b"1", 60)
    store.put("3", b"3", 60)
    assert store.get_many(["3", "2", "1", "1"]) == {"3": b"3", "1": b"1"}
    assert store.get_many([]) == {}


def test_of_twenty_who_add_one_does() -> None:
    added = at_once([lambda: store.add("key", b"x", 60) for _ in range(20)])
    assert added.count(True) == 1


def test_of_twenty_takers_one_gets_it() -> None:
    for _ in range(20):
        store.put("key", b"once", 60)
        taken = at_once([lambda: store.take("key") for _ in range(20)])
        assert (taken.count(b"once"), taken.count(None)) == (1, 19)
    assert store.take("key") is None


def number(counter: str, most: int = 99, *, seconds: int = 60, shared: bool = True) -> int:
    return store.count(counter, seconds, most=most, shared=shared).number


def test_simultaneous_counts_are_exact() -> None:
    for counter in map(str, range(20)):
        counts = at_once([lambda: number(counter) for _ in range(20)])  # noqa: B023
        assert sorted(counts) == list(range(1, 21))


def test_of_twenty_at_a_limit_of_five_five_pass() -> None:
    counts = at_once([lambda: number("key", 5) for _ in range(20)])
    assert sum(count <= 5 for count in counts) == 5
    assert number("key", 5) == 6


def test_what_is_refused_is_not_counted() -> None:
    for _ in range(9):
        number("key", 5)
    store.refund("key")
    assert [number("key", 5) for _ in range(2)] == [5, 6]


def test_a_window_begins_with_the_first_and_ends() -> None:
    first, left = store.count("key", 2, most=9)
    second, still_left = store.count("key", 2, most=9)
    assert (first, second) == (1, 2)
    assert 2 >= left >= still_left >= 0
    pause(2.1)
    assert number("key", seconds=2) == 1


def test_a_counter_ends_with_its_window(kind: str) -> None:
    """Also one that Redis made anew, because it expired between two commands: it would never end
    and lock its person out."""
    number("key", 1)
    cache: Any = store._cache("default")
    if kind == "redis":
        client = cache._cache.get_client()
        (key,) = client.keys("*count:key:*")
        client.persist(key)
        assert 0 < client.ttl(*client.keys("*window:key")) <= 60
        client.delete(*client.keys("*window:key"))
    else:
        cache.delete("window:key")
    assert number("key", 1) == 1


def test_a_refund_of_nothing_does_nothing() -> None:
    store.refund("key")
    assert store.counted("key") == 0
    assert number("key") == 1
    assert store.counted("key") == 1
    store.refund("key")
    assert number("key") == 1


def test_a_counter_of_this_process_is_its_own() -> None:
    number("key")
    assert [number("key", shared=False) for _ in range(2)] == [1, 2]
    store.refund("key", shared=False)
    assert number("key", shared=False) == 2
    assert number("key") == 2


def test_what_is_kept_for_an_owner_has_another_epoch_after_it_was_dropped() -> None:
    epoch, value = store.answer_with_epoch("bo", "key")
    assert value is None
    store.put("key", b"sealed with it", 60)
    assert store.answer_with_epoch("bo", "key") == (epoch, b"sealed with it")
    assert store.epoch("elsa") != epoch == store.epoch("bo")
    store.drop("bo")
    assert store.answer_with_epoch("bo", "key")[0] not in (epoch, b"")


def test_twenty_who_ask_first_get_one_epoch() -> None:
    epochs = at_once([lambda: store.epoch("bo") for _ in range(20)])
    assert len(set(epochs)) == 1


def test_a_lock_is_held_by_one_at_a_time() -> None:
    inside: list[int] = []
    most: list[int] = []

    def turn() -> bool:
        with store.lock("key", lease=60, wait=60) as held:
            inside.append(1)
            most.append(len(inside))
            inside.pop()
        return held

    assert at_once([turn] * 8) == [True] * 8
    assert max(most) == 1


def test_a_caller_continues_without_the_lock_after_the_wait() -> None:
    holding, release = threading.Event(), threading.Event()

    def holder() -> None:
        with store.lock("key", lease=60, wait=1):
            holding.set()
            release.wait(60)

    with crowd(1) as start:
        running = start(holder)
        assert holding.wait(60)
        with store.lock("key", lease=60, wait=0.05) as held:
            assert held is False
        release.set()
        running.result(60)
    with store.lock("key", lease=60, wait=0.05) as held:
        assert held is True


def test_an_error_releases_the_lock() -> None:
    with pytest.raises(RuntimeError), store.lock("key", lease=60, wait=1):
        raise RuntimeError
    with store.lock("key", lease=60, wait=0.05) as held:
        assert held is True


def test_a_lock_of_a_dead_holder_expires_and_is_not_released_by_it() -> None:
    dead: Any = store.lock("key", lease=1, wait=1)
    dead.__enter__()  # and never leaves
    with store.lock("key", lease=60, wait=60) as held:
        assert held is True
        dead.__exit__(None, None, None)  # too late: it must not release the next holder's lock
        with store.lock("key", lease=60, wait=0.05) as third:
            assert third is False


def test_a_lock_near_its_end_is_left_to_expire() -> None:
    """To release it takes two commands, between which the next one could get it."""
    with store.lock("key", lease=2, wait=1):
        pass
    with store.lock("key", lease=60, wait=0.05) as held:
        assert held is False
    with store.lock("key", lease=60, wait=60) as held:
        assert held is True


def test_an_unreachable_redis_raises_and_is_not_called_for_a_moment(settings: Settings) -> None:
    settings.CACHES = cache_settings("redis://127.0.0.1:9/0")
    store._cache.cache_clear()
    for ask in (
        lambda: store.get("x"),
        lambda: store.get_many(["x"]),
        lambda: store.put("x", b"", 1),
        lambda: store.add("x", b"", 1),
        lambda: store.take("x"),
        lambda: store.delete("x"),
        lambda: store.count("x", 1, most=1),
        lambda: store.counted("x"),
        lambda: store.refund("x"),
        lambda: store.epoch("x"),
        lambda: store.answer_with_epoch("x", "y"),
        lambda: store.drop("x"),
        lambda: store.lock("x", lease=1, wait=1).__enter__(),
        store.ping,
    ):
        store._paused_until = 0.0
        with pytest.raises(StoreUnavailable):
            ask()
        assert time.monotonic() < store._paused_until
    assert number("x", shared=False) == 1
    store._paused_until = 0.0
    settings.CACHES = cache_settings("")
    store._cache.cache_clear()
