"""The frames that wait for a client are bounded."""

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from functools import wraps
from typing import Any, ParamSpec

import pytest

from social.limits import SocketLimits
from social.realtime.close_codes import CloseCode
from social.realtime.write_queue import WriteQueue

P = ParamSpec("P")
LONG = 30  # seconds, reached only when a test fails


class Client:
    """Reads while `reads` is set. `heard` holds the frames, and the code of the close."""

    def __init__(self, limits: SocketLimits) -> None:
        self.heard: asyncio.Queue[str | int] = asyncio.Queue()
        self.reads = asyncio.Event()
        self.next: str | int | None = None  # what it would hear next
        self.queue = WriteQueue(self.hear, self.hear, limits)

    async def hear(self, what: str | int) -> None:
        self.next = what
        await self.reads.wait()
        self.heard.put_nowait(what)

    async def hears(self, *expected: str | int) -> None:
        assert [await self.heard.get() for _ in expected] == list(expected)
        assert self.heard.empty()


@asynccontextmanager
async def client(limits: SocketLimits) -> AsyncIterator[Client]:
    client = Client(limits)
    yield client
    client.queue.cancel()
    others = asyncio.all_tasks() - {asyncio.current_task()}
    await asyncio.gather(*others, return_exceptions=True)
    assert asyncio.all_tasks() == {asyncio.current_task()}


def in_a_loop(test: Callable[P, Coroutine[Any, Any, None]]) -> Callable[P, None]:
    """The test, run in an event loop of its own."""

    @wraps(test)
    def run(*args: P.args, **options: P.kwargs) -> None:
        async def in_time() -> None:
            async with asyncio.timeout(LONG):
                await test(*args, **options)

        asyncio.run(in_time())

    return run


@in_a_loop
async def test_frames_are_written_in_order_and_none_after_the_close() -> None:
    async with client(SocketLimits()) as reader:
        reader.reads.set()
        for text in ("1", "2", "3"):
            reader.queue.put(text)
        reader.queue.close(CloseCode.NO_SESSION)
        reader.queue.put("4")
        reader.queue.close(CloseCode.SUSPENDED)
        await reader.hears("1", "2", "3", 4401)


@pytest.mark.parametrize(
    ("limits", "frames", "heard"),
    [
        # One is being written when the others overflow.
        (SocketLimits(waiting_frames=3, write_seconds=3600), 6, ["0", 4008]),
        (SocketLimits(write_seconds=0.01), 1, [4008]),
    ],
    ids=["frames", "seconds"],
)
@in_a_loop
async def test_a_client_that_does_not_read_lags_and_hears_so_when_it_reads_again(
    limits: SocketLimits, frames: int, heard: list[str | int]
) -> None:
    async with client(limits) as reader:
        for number in range(frames):
            reader.queue.put(str(number))
            await asyncio.sleep(0)
        while reader.queue.close_code is None:
            await asyncio.sleep(0)
        reader.reads.set()
        await reader.hears(*heard)


@in_a_loop
async def test_a_client_within_the_bounds_does_not_lag() -> None:
    async with client(SocketLimits(waiting_frames=3)) as reader:
        for _ in range(4):
            for text in ("1", "2", "3"):
                reader.queue.put(text)
            reader.reads.set()
            await reader.hears("1", "2", "3")
            reader.reads.clear()
        assert reader.queue.close_code is None


@in_a_loop
async def test_the_end_of_a_session_is_told_to_a_client_that_lags_too() -> None:
    async with client(SocketLimits(flush_seconds=0.01)) as reader:
        for text in ("1", "2", "3"):
            reader.queue.put(text)
        reader.queue.close(CloseCode.SUSPENDED)
        while reader.next != 4403:
            await asyncio.sleep(0)
        reader.reads.set()
        await reader.hears(4403)


@in_a_loop
async def test_a_disconnected_client_is_not_closed_and_is_no_error() -> None:
    async def gone(text: str) -> None:
        raise OSError

    async def never(code: int) -> None:
        raise AssertionError("a client that is gone is not closed")

    queue = WriteQueue(gone, never, SocketLimits())
    queue.put("x")
    await queue._writer
    queue.close(CloseCode.NO_SESSION)
    queue.put("x")
