"""The sender of events: fast, bounded, and it never raises."""

import asyncio
import logging
import threading
import time
from collections.abc import Iterator, Sequence
from typing import ClassVar

import pytest
from pytest_django import Settings

from social.limits import SENT_AT_ONCE, WAITING_BATCHES
from social.realtime.layers import GroupMessage, MemoryLayer
from social.realtime.sender import Sender

BATCH: list[GroupMessage] = [("account.1", {"type": "deliver", "text": "{}", "close": None})]


@pytest.fixture
def sender() -> Iterator[Sender]:
    """A new one, cleaned up afterwards."""
    before = set(threading.enumerate())
    sender = Sender()
    yield sender
    if sender._own is not None:
        run_dry(sender._own)
        sender._own.call_soon_threadsafe(sender._own.stop)
        for thread in set(threading.enumerate()) - before:
            thread.join(timeout=10)
        sender._own.close()


@pytest.fixture
def loop() -> Iterator[asyncio.AbstractEventLoop]:
    """A loop in a thread of its own, as of a process that serves sockets."""
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever)
    thread.start()
    yield loop
    loop.call_soon_threadsafe(loop.stop)
    thread.join()
    loop.close()


def run_dry(loop: asyncio.AbstractEventLoop) -> None:
    """Wait until everything that was handed to the loop is done."""

    async def others() -> None:
        while len(asyncio.all_tasks()) > 1:
            await asyncio.sleep(0)

    asyncio.run_coroutine_threadsafe(others(), loop).result(timeout=10)


def test_a_layer_that_is_stuck_costs_one_warning_and_bounded_memory(
    sender: Sender, loop: asyncio.AbstractEventLoop, caplog: pytest.LogCaptureFixture
) -> None:
    stuck = threading.Event()
    sender.serve_from(loop)
    loop.call_soon_threadsafe(stuck.wait)
    started = time.monotonic()
    for _ in range(WAITING_BATCHES + 50):
        sender.send(BATCH)
    assert time.monotonic() - started < 2
    assert caplog.messages == ["events dropped: the channel layer is too slow"]
    stuck.set()
    run_dry(loop)
    caplog.clear()
    sender.send(BATCH)
    run_dry(loop)
    assert not caplog.messages


def test_a_failing_layer_is_a_warning(
    sender: Sender,
    loop: asyncio.AbstractEventLoop,
    settings: Settings,
    caplog: pytest.LogCaptureFixture,
) -> None:
    settings.CHANNEL_LAYERS = {
        "default": {
            "BACKEND": "social.realtime.layers.RedisLayer",
            "CONFIG": {"hosts": [{"address": "redis://127.0.0.1:9"}]},
        }
    }
    sender.serve_from(loop)
    with caplog.at_level(logging.WARNING):
        sender.send(BATCH)
        run_dry(loop)
    assert caplog.messages == ["events not sent: ConnectionError"]


class CountingLayer(MemoryLayer):
    """Records the batch of each round trip."""

    trips: ClassVar[list[int]] = []

    async def group_send_many(self, batch: Sequence[GroupMessage]) -> None:
        self.trips.append(len(batch))


def test_batches_that_come_during_a_round_trip_are_sent_together(
    sender: Sender, loop: asyncio.AbstractEventLoop, settings: Settings
) -> None:
    CountingLayer.trips.clear()
    settings.CHANNEL_LAYERS = {"default": {"BACKEND": f"{__name__}.CountingLayer"}}
    busy = threading.Event()
    sender.serve_from(loop)
    loop.call_soon_threadsafe(busy.wait)
    for _ in range(SENT_AT_ONCE + 7):
        sender.send(BATCH)
    busy.set()
    run_dry(loop)
    sender.send(BATCH * 3)
    run_dry(loop)
    assert CountingLayer.trips == [SENT_AT_ONCE, 7, 3]


def test_a_process_without_sockets_sends_from_one_thread_of_its_own(sender: Sender) -> None:
    before = set(threading.enumerate())
    for _ in range(5):
        sender.send(BATCH)
    assert [thread.name for thread in set(threading.enumerate()) - before] == ["events"]


def test_a_loop_that_has_stopped_serving_is_not_used(
    sender: Sender, caplog: pytest.LogCaptureFixture
) -> None:
    over = asyncio.new_event_loop()
    over.close()
    sender.serve_from(over)
    sender.send(BATCH)
    assert sender._own is not None
    run_dry(sender._own)
    assert not caplog.messages
