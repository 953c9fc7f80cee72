"""Slots, threads and request scopes of one school's bulkhead."""

import contextvars
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager

import pytest

from tests.concurrency import wait_until
from upstream.config import UpstreamConfig
from upstream.errors import BulkheadFull
from upstream.resilience.bulkhead import Bulkhead

MakeSlot = Callable[[], AbstractContextManager[None]]


class SlotHolders:
    """Threads that each hold a slot until the block ends."""

    def __init__(self) -> None:
        self.release = threading.Event()
        self.refused: list[BulkheadFull] = []
        self._threads: list[threading.Thread] = []

    def start(self, slot: MakeSlot, count: int) -> None:
        """Start threads, in the current context, and wait until each has a slot or was refused."""
        for _ in range(count):
            decided = threading.Event()
            context = contextvars.copy_context()
            thread = threading.Thread(target=context.run, args=(self._hold, slot, decided))
            thread.start()
            self._threads.append(thread)
            assert decided.wait(3)

    def _hold(self, slot: MakeSlot, decided: threading.Event) -> None:
        try:
            with slot():
                decided.set()
                self.release.wait(5)
        except BulkheadFull as error:
            self.refused.append(error)
        finally:
            decided.set()

    def __enter__(self) -> "SlotHolders":
        return self

    def __exit__(self, *_: object) -> None:
        self.release.set()
        for thread in self._threads:
            thread.join(5)


def make_bulkhead(
    in_flight: int = 64,
    per_request: int = 40,
    threads: int = 64,
    wait_seconds: float = 0.1,
    alone: bool = False,
) -> Bulkhead:
    """The bulkhead of a school; `alone`: no other one has traffic."""
    config = UpstreamConfig(
        base_url="https://sms.example",
        max_in_flight=in_flight,
        per_request=per_request,
        threads=threads,
        wait_seconds=wait_seconds,
    )
    return Bulkhead(config, lambda: alone)


def slot_of(bulkhead: Bulkhead) -> MakeSlot:
    @contextmanager
    def slot() -> Iterator[None]:
        acquired = bulkhead.acquire()
        try:
            yield
        finally:
            acquired.release()

    return slot


@pytest.mark.parametrize(("alone", "share"), [(False, 5), (True, 9)])
def test_a_school_never_occupies_more_than_its_share_of_the_threads(
    alone: bool, share: int
) -> None:
    bulkhead = make_bulkhead(threads=10, alone=alone)
    slot = slot_of(bulkhead)
    with SlotHolders() as holders:
        holders.start(slot, share)
        assert not holders.refused
        began = time.monotonic()
        with pytest.raises(BulkheadFull, match="thread"):
            bulkhead.acquire()
        assert time.monotonic() - began > 0.08
    with slot():
        pass


@pytest.mark.parametrize(("alone", "share"), [(False, 2), (True, 3)])
def test_a_waiting_request_gets_the_thread_that_becomes_free(alone: bool, share: int) -> None:
    bulkhead = make_bulkhead(threads=4, wait_seconds=3, alone=alone)
    with SlotHolders() as holders:
        holders.start(slot_of(bulkhead), share)
        threading.Timer(0.05, holders.release.set).start()
        with bulkhead.request_scope():
            pass
    assert bulkhead.idle


def test_waiting_requests_leave_threads_for_other_schools() -> None:
    bulkhead = make_bulkhead(threads=10, wait_seconds=60)
    slot = slot_of(bulkhead)
    waiting: list[threading.Thread] = []

    def wait_for_a_thread() -> None:
        with slot():
            pass

    with SlotHolders() as holders:
        holders.start(slot, 5)
        for number in range(1, 5):
            waiting.append(threading.Thread(target=wait_for_a_thread))
            waiting[-1].start()
            wait_until(lambda: bulkhead._waiting_for_thread >= number, seconds=5)  # noqa: B023
        with pytest.raises(BulkheadFull, match="share"):  # at once: nine of ten are occupied
            bulkhead.acquire()
    for thread in waiting:
        thread.join(5)
    assert bulkhead.idle


def test_the_wait_for_a_slot_is_bounded() -> None:
    bulkhead = make_bulkhead(in_flight=2)
    with SlotHolders() as holders:
        holders.start(slot_of(bulkhead), 2)
        began = time.monotonic()
        with pytest.raises(BulkheadFull, match="in flight"):
            bulkhead.acquire()
        assert time.monotonic() - began > 0.08


def test_a_waiting_call_gets_the_slot_that_becomes_free() -> None:
    slot = slot_of(make_bulkhead(in_flight=1, wait_seconds=3))
    with SlotHolders() as holders:
        holders.start(slot, 1)
        threading.Timer(0.05, holders.release.set).start()
        with slot():
            pass


def test_a_request_scope_occupies_one_thread_whatever_it_sends() -> None:
    bulkhead = make_bulkhead(threads=2, per_request=8)
    slot = slot_of(bulkhead)
    with bulkhead.request_scope(), SlotHolders() as holders:
        holders.start(slot, 8)
        assert not holders.refused
        other_request = contextvars.Context()
        with pytest.raises(BulkheadFull):
            other_request.run(ExitStack().enter_context, slot())


def test_a_request_scope_has_no_more_slots_than_one_request_may_have() -> None:
    bulkhead = make_bulkhead(per_request=3)
    slot = slot_of(bulkhead)
    with bulkhead.request_scope(), SlotHolders() as holders:
        holders.start(slot, 3)
        with pytest.raises(BulkheadFull):
            bulkhead.acquire()
    with bulkhead.request_scope(), slot():
        pass


def test_request_scopes_share_the_slots_of_the_school() -> None:
    bulkhead = make_bulkhead(in_flight=4, per_request=3)
    slot = slot_of(bulkhead)
    with SlotHolders() as holders:
        with bulkhead.request_scope():
            holders.start(slot, 3)
        with bulkhead.request_scope():
            holders.start(slot, 2)
        assert len(holders.refused) == 1


def test_a_nested_request_scope_is_the_same_scope() -> None:
    bulkhead = make_bulkhead(threads=2)
    with bulkhead.request_scope(), bulkhead.request_scope(), slot_of(bulkhead)():
        pass
    with slot_of(bulkhead)():
        pass


def test_the_request_scope_of_one_school_does_not_apply_to_another() -> None:
    one, other = make_bulkhead(threads=2), make_bulkhead(threads=2)
    with one.request_scope(), SlotHolders() as holders:
        holders.start(slot_of(other), 1)
        with pytest.raises(BulkheadFull):
            other.acquire()


def test_a_slot_in_use_is_known_in_its_context_only() -> None:
    bulkhead, other = make_bulkhead(), make_bulkhead()

    def call() -> bool:
        slot = bulkhead.acquire()
        slot.use_in_this_context()
        slot.release()
        return bulkhead.holds_slot and not other.holds_slot

    assert contextvars.copy_context().run(call)
    assert not bulkhead.holds_slot


def test_it_is_idle_when_every_slot_was_released() -> None:
    bulkhead = make_bulkhead()
    slot = bulkhead.acquire()
    assert not bulkhead.idle
    slot.release()
    assert bulkhead.idle
