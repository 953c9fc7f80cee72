"""The frames that wait for a client are bounded."""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any

import pytest

from social.limits import SocketLimits
from social.realtime.write_queue import WriteQueue

LONG = 30  # seconds, reached only when a test fails


class Client:
    """Reads frames while `reads` is set."""

    def __init__(self, limits: SocketLimits) -> None:
        self.heard: list[str] = []
        self.reads = asyncio.Event()
        self.lagged = asyncio.Event()
        self.write_queue = WriteQueue(self.write, self.lag, limits)

    async def write(self, text: str) -> None:
        await self.reads.wait()
        self.heard.append(text)

    async def lag(self) -> None:
        self.lagged.set()
        await self.write_queue.flush()  # as a closing socket does

    async def put(self, *texts: str) -> None:
        for text in texts:
            await self.write_queue.put(text)


def run(test: Callable[[], Coroutine[Any, Any, None]]) -> None:
    async def in_time() -> None:
        async with asyncio.timeout(LONG):
            await test()

    asyncio.run(in_time())


def test_frames_are_written_in_order_by_a_task_that_ends_with_them() -> None:
    async def test() -> None:
        client = Client(SocketLimits())
        await client.put("1", "2", "3")
        client.reads.set()
        await client.write_queue.flush()
        assert client.heard == ["1", "2", "3"]
        assert asyncio.all_tasks() == {asyncio.current_task()}
        await client.put("4")  # too late
        assert client.heard == ["1", "2", "3"]

    run(test)


@pytest.mark.parametrize(
    ("limits", "frames"),
    [
        (SocketLimits(waiting_frames=3, write_seconds=3600), ["x"] * 6),
        (SocketLimits(waiting_characters=100, write_seconds=3600), ["x" * 40] * 4),
        (SocketLimits(write_seconds=0.01), ["x"]),
    ],
    ids=["frames", "characters", "seconds"],
)
def test_a_client_that_does_not_read_lags_once(limits: SocketLimits, frames: list[str]) -> None:
    async def test() -> None:
        client = Client(limits)
        for frame in frames:
            await client.put(frame)
            await asyncio.sleep(0)
        await client.lagged.wait()
        client.reads.set()
        await client.put("after")
        await asyncio.sleep(0)
        assert client.heard == []
        assert await tasks_end()

    run(test)


def test_a_client_within_the_bounds_does_not_lag() -> None:
    async def test() -> None:
        client = Client(SocketLimits(waiting_frames=3, waiting_characters=100))
        for written in (3, 6, 9, 12):
            await client.put("x" * 30, "x" * 30, "x" * 30)
            client.reads.set()
            while len(client.heard) < written:
                await asyncio.sleep(0)
            client.reads.clear()
        assert not client.lagged.is_set()

    run(test)


def test_a_close_does_not_wait_for_a_client_that_does_not_read() -> None:
    async def test() -> None:
        client = Client(SocketLimits(flush_seconds=0.01))
        await client.put("1")
        await asyncio.sleep(0)
        await client.write_queue.flush()
        client.reads.set()
        assert await tasks_end()
        assert client.heard == []

    run(test)


def test_a_disconnected_client_is_not_logged_as_an_error() -> None:
    async def test() -> None:
        async def gone(text: str) -> None:
            raise OSError

        async def never() -> None:
            raise AssertionError("a client that is gone does not lag")

        write_queue = WriteQueue(gone, never, SocketLimits(waiting_frames=2))
        for _ in range(9):
            await write_queue.put("x")
            await asyncio.sleep(0)
        assert await tasks_end()

    run(test)


async def tasks_end() -> bool:
    """Whether nothing is left but this test."""
    others: list[Awaitable[Any]] = [
        task for task in asyncio.all_tasks() if task is not asyncio.current_task()
    ]
    await asyncio.gather(*others, return_exceptions=True)
    return asyncio.all_tasks() == {asyncio.current_task()}
