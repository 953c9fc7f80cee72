"""Connection faults: the response is right, but it arrives late, in pieces, or not at all."""

import asyncio
import struct
import zlib
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass, replace

from upstream.simulator.faults.held import HeldRequests
from upstream.simulator.http_exchange import Connection, Response

_MIB = 1024 * 1024
_CRC_OF_A_GIB_OF_ZEROS = 0x5B64C2B0


@dataclass(frozen=True, slots=True)
class PendingResponse:
    """A response that is not sent yet. Waits end when `hanging` is released."""

    connection: Connection
    response: Response
    hanging: HeldRequests

    async def send(self) -> None:
        await self.connection.send(self.response)

    async def wait(self, seconds: float | None) -> bool:
        """Wait this long. False if it ended early: the client left, or `hanging` was released."""
        waiting = asyncio.ensure_future(self.hanging.wait_for_release())
        try:
            done, _ = await asyncio.wait(
                {waiting, self.connection.disconnected()},
                timeout=seconds,
                return_when=asyncio.FIRST_COMPLETED,
            )
        finally:
            waiting.cancel()
        return not done

    async def stream(self, chunks: Iterator[bytes]) -> None:
        """Send this body instead of the right one, without a length, until the client leaves."""
        await self.connection.send_head(self.response, length=None)
        for chunk in chunks:
            if self.connection.disconnected().done():
                return
            await self.connection.send_chunk(chunk)
            await asyncio.sleep(0)
        await self.connection.send_chunk(b"", last=True)


ConnectionFault = Callable[..., Awaitable[None]]
"""Called with the pending response and the fault's options by name."""


async def _timeout(pending: PendingResponse, *, seconds: float | None = None) -> None:
    """Send nothing until the client disconnects, the faults are cleared, or `seconds` pass."""
    await pending.wait(seconds)
    await pending.send()


async def _gzip_bomb(pending: PendingResponse) -> None:
    """Send a mebibyte of gzip that unpacks to a gibibyte of zeros."""
    packed = pending.response.with_headers(("Content-Encoding", "gzip"))
    await replace(pending, response=packed).stream(_gibibyte_of_zeros())


async def _huge(pending: PendingResponse, *, mebibytes: int = 64) -> None:
    await pending.stream(b" " * _MIB for _ in range(mebibytes))


async def _reset(pending: PendingResponse) -> None:
    await pending.connection.cut(reset=True)


async def _cut(pending: PendingResponse) -> None:
    """Send half of the announced body, then close the connection."""
    body = pending.response.body
    await pending.connection.send_head(pending.response, length=len(body))
    await pending.connection.send_chunk(body[: len(body) // 2])
    await pending.connection.cut(reset=False)


def _gibibyte_of_zeros() -> Iterator[bytes]:
    packer = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
    block = packer.compress(bytes(_MIB)) + packer.flush(zlib.Z_FULL_FLUSH)
    yield b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff"
    # A full flush resets the compressor, so the same block may be repeated.
    for _ in range(1024):
        yield block
    yield packer.flush() + struct.pack("<II", _CRC_OF_A_GIB_OF_ZEROS, 1024 * _MIB)


CONNECTION_FAULTS: dict[str, ConnectionFault] = {
    "timeout": _timeout,
    "gzip-bomb": _gzip_bomb,
    "huge": _huge,
    "reset": _reset,
    "cut": _cut,
}
