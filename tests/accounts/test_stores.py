"""Both stores behave the same."""

import threading
import time
from collections.abc import Iterator
from typing import Any

import pytest

from accounts.errors import StoreUnavailable
from accounts.stores import RequestLookup, Store
from accounts.stores.local import MAX_CACHED_PER_OWNER, LocalStore
from accounts.stores.redis import RedisStore
from tests.concurrency import at_once, crowd


@pytest.fixture(params=["local", "redis"])
def store(request: pytest.FixtureRequest) -> Iterator[Store]:
    """Each store."""
    if request.param == "local":
        yield LocalStore(max_cached_bytes=1 << 24)
        return
    shared = RedisStore(request.getfixturevalue("spare_redis"))
    yield shared
    keys = list(shared._client.scan_iter("wrapper:*test-stores*"))
    if keys:
        shared._client.delete(*keys)


@pytest.fixture
def key(request: pytest.FixtureRequest) -> str:
    return f"test-stores-{request.node.name}-{time.time_ns()}"


def wait_until_over(seconds: float) -> None:
    """Real time: Redis does not follow a frozen clock."""
    threading.Event().wait(seconds)


def test_a_key_expires(store: Store, key: str) -> None:
    assert store.get(key) is None
    store.set(key, b"\x00\xff", 60)
    store.set(f"{key}-short", b"x", 0.05)
    assert store.get(key) == b"\x00\xff"
    wait_until_over(0.1)
    assert store.get(f"{key}-short") is None
    assert store.get(key) == b"\x00\xff"
    store.set(key, b"new", 60)
    assert store.get(key) == b"new"


def test_it_deletes_several_and_none(store: Store, key: str) -> None:
    store.set(key, b"1", 60)
    store.set(f"{key}-2", b"2", 60)
    store.delete()
    store.delete(key, f"{key}-2", f"{key}-missing")
    assert store.get(key) is store.get(f"{key}-2") is None


def test_it_gets_many_in_their_order(store: Store, key: str) -> None:
    store.set(key, b"1", 60)
    store.set(f"{key}-3", b"3", 60)
    assert store.get_many([f"{key}-3", f"{key}-2", key, key]) == [b"3", None, b"1", b"1"]
    assert store.get_many([]) == []


def test_a_swap_returns_the_previous_value(store: Store, key: str) -> None:
    assert store.swap(key, b"1", 60) is None
    assert store.swap(key, b"2", 0.05) == b"1"
    wait_until_over(0.1)
    assert store.swap(key, b"3", 60) is None
    assert store.get(key) == b"3"


def test_of_twenty_who_swap_each_gets_another_value(store: Store, key: str) -> None:
    values = [b"%d" % number for number in range(20)]
    before = at_once([lambda value=value: store.swap(key, value, 60) for value in values])  # type: ignore[misc]
    assert before.count(None) == 1
    assert {*before, store.get(key)} == {None, *values}


def test_of_twenty_takers_one_gets_it(store: Store, key: str) -> None:
    store.set(key, b"once", 60)
    taken = at_once([lambda: store.take(key) for _ in range(20)])
    assert (taken.count(b"once"), taken.count(None)) == (1, 19)
    assert store.take(key) is None


def test_simultaneous_hits_are_counted_exactly(store: Store, key: str) -> None:
    counts = at_once([lambda: store.hit(key, 60)[0] for _ in range(20)])
    assert sorted(counts) == list(range(1, 21))


def test_a_hit_beyond_the_most_is_not_counted(store: Store, key: str) -> None:
    counts = at_once([lambda: store.hit(key, 60, most=5)[0] for _ in range(20)])
    assert sorted(counts) == [1, 2, 3, 4, 5, *([6] * 15)]
    store.refund(key)
    assert store.hit(key, 60, most=5)[0] == 5
    count, left = store.hit(key, 60, most=5)
    assert (count, 0 < left <= 60) == (6, True)


def test_a_window_begins_with_its_first_hit_and_ends(store: Store, key: str) -> None:
    first, left = store.hit(key, 2)
    assert (first, 0 < left < 2.01) == (1, True)
    second, still_left = store.hit(key, 2)
    assert (second, still_left <= left) == (2, True)
    wait_until_over(2.05)
    assert store.hit(key, 2)[0] == 1


def test_a_refund_undoes_one_hit_and_never_goes_below_zero(store: Store, key: str) -> None:
    for _ in range(3):
        store.hit(key, 60)
    store.refund(key)
    assert store.hit(key, 60)[0] == 3
    for _ in range(3):
        store.refund(key)
    store.refund(f"{key}-never-hit")
    assert store.hit(f"{key}-never-hit", 60)[0] == 1
    assert store.hit(key, 60)[0] == 1


def test_cached_answers_belong_to_an_owner_and_are_dropped_together(store: Store, key: str) -> None:
    store.set_cached(key, "a", b"1", 60)
    store.set_cached(key, "b", b"2", 60)
    store.set_cached(f"{key}-other", "a", b"3", 60)
    assert (store.get_cached(key, "a"), store.get_cached(key, "b")) == (b"1", b"2")
    assert store.get_cached(key, "c") is None
    store.drop_cached(key)
    assert store.get_cached(key, "a") is store.get_cached(key, "b") is None
    assert store.get_cached(f"{key}-other", "a") == b"3"
    store.drop_cached(f"{key}-other")


def test_some_of_the_cached_answers_are_dropped_and_all_are_taken(store: Store, key: str) -> None:
    for name in ("a", "b", "c"):
        store.set_cached(key, name, name.encode(), 60)
    store.drop_cached(key, "a", "never-there")
    assert store.get_cached(key, "a") is None
    assert store.take_cached(key) == {"b": b"b", "c": b"c"}
    assert store.take_cached(key) == {}
    assert store.get_cached(key, "b") is None


def test_an_answer_is_not_cached_while_a_key_forbids_it(store: Store, key: str) -> None:
    store.set(f"{key}-ended", b"1", 60)
    store.set_cached(key, "a", b"1", 60, unless=f"{key}-ended")
    assert store.get_cached(key, "a") is None
    store.delete(f"{key}-ended")
    store.set_cached(key, "a", b"1", 60, unless=f"{key}-ended")
    assert store.get_cached(key, "a") == b"1"
    store.drop_cached(key)


def test_a_cached_answer_expires(store: Store, key: str) -> None:
    store.set_cached(key, "a", b"1", 0.05)
    wait_until_over(0.1)
    assert store.get_cached(key, "a") is None


def test_an_owner_has_a_bounded_number_of_cached_answers(store: Store, key: str) -> None:
    names = [f"name-{number}" for number in range(3 * MAX_CACHED_PER_OWNER)]
    for name in names:
        store.set_cached(key, name, b"x", 60)
    held = [name for name in names if store.get_cached(key, name)]
    assert names[-1] in held
    assert len(held) <= MAX_CACHED_PER_OWNER
    store.set_cached(key, names[-1], b"again", 60)
    assert store.get_cached(key, names[-1]) == b"again"
    store.drop_cached(key)


def test_one_look_up_returns_everything(store: Store, key: str) -> None:
    store.set(f"{key}-1", b"one", 60)
    store.set_cached(key, "name", b"cached", 60)
    keys = [f"{key}-1", f"{key}-2"]
    full = store.look_up(keys, cached=(key, "name"), counter=f"{key}:7", window=60)
    assert full == RequestLookup([b"one", None], b"cached", 1)
    again = store.look_up(keys, cached=(key, "other"), counter=f"{key}:7", window=60)
    assert again == RequestLookup([b"one", None], None, 2)
    plain = store.look_up(keys, cached=None, counter=None, window=60)
    assert plain == RequestLookup([b"one", None], None, 0)
    assert store.look_up(keys, cached=(key, "name"), counter=None, window=60).cached == b"cached"
    store.drop_cached(key)


def test_look_ups_and_hits_share_counters(store: Store, key: str) -> None:
    store.look_up([key], cached=None, counter=f"{key}:7", window=60)
    assert store.hit(f"{key}:7", 120)[0] == 2


def test_a_lock_is_held_by_one_at_a_time(store: Store, key: str) -> None:
    inside: list[int] = []
    most: list[int] = []

    def turn() -> bool:
        with store.lock(key, lease=10, wait=10) as got:
            inside.append(1)
            most.append(len(inside))
            inside.pop()
        return got

    assert at_once([turn] * 8) == [True] * 8
    assert max(most) == 1


def test_a_caller_continues_without_the_lock_after_the_wait(store: Store, key: str) -> None:
    holding, release = threading.Event(), threading.Event()

    def holder() -> None:
        with store.lock(key, lease=30, wait=1):
            holding.set()
            release.wait(10)

    with crowd(1) as start:
        running = start(holder)
        assert holding.wait(5)
        with store.lock(key, lease=30, wait=0.05) as got:
            assert got is False
        release.set()
        running.result(10)
    with store.lock(key, lease=30, wait=0.05) as got:
        assert got is True


def test_an_error_releases_the_lock(store: Store, key: str) -> None:
    with pytest.raises(RuntimeError), store.lock(key, lease=30, wait=1):
        raise RuntimeError
    with store.lock(key, lease=30, wait=0.05) as got:
        assert got is True


def test_a_lock_of_a_dead_holder_expires(store: Store, key: str) -> None:
    if isinstance(store, LocalStore):
        pytest.skip("a holder in this process cannot die without it")
    dead: Any = store.lock(key, lease=2, wait=1)
    dead.__enter__()  # and never leaves
    with store.lock(key, lease=2, wait=0.05) as got:
        assert got is False
    with store.lock(key, lease=5, wait=10) as got:
        assert got is True
        dead.__exit__(None, None, None)  # too late: must not release the next holder's lock
        with store.lock(key, lease=5, wait=0.05) as third:
            assert third is False


def test_an_unreachable_redis_raises_and_is_not_called_for_a_moment() -> None:
    away = RedisStore("redis://127.0.0.1:9/0")
    for ask in (
        lambda: away.get("x"),
        lambda: away.get_many(["x"]),
        lambda: away.set("x", b"", 1),
        lambda: away.swap("x", b"", 1),
        lambda: away.take("x"),
        lambda: away.delete("x"),
        lambda: away.hit("x", 1),
        lambda: away.refund("x"),
        lambda: away.get_cached("x", "y"),
        lambda: away.set_cached("x", "y", b"", 1),
        lambda: away.drop_cached("x"),
        lambda: away.look_up(["x"], cached=None, counter=None, window=1),
        lambda: away.lock("x", lease=1, wait=1).__enter__(),
        away.ping,
    ):
        away._paused_until = 0.0
        with pytest.raises(StoreUnavailable):
            ask()
        assert time.monotonic() < away._paused_until


def test_the_local_store_is_bounded() -> None:
    here = LocalStore(max_cached_bytes=1 << 24)
    for number in range(60_000):
        here.set(f"key-{number}", b"", 60)
        here.hit(f"count-{number}", 60)
    assert len(here._keys) == len(here._counters) == 50_000
    for number in range(40):
        here.set_cached(f"owner-{number}", "name", b"x" * 1024 * 1024, 60)
    assert here.cached_bytes == 16 * 1024 * 1024
    assert here.evicted_answers == 24
    assert here.get_cached("owner-39", "name") is not None
    assert not here._locks
