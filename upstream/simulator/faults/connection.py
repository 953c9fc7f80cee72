"""Bad lines: the work is done and the answer is right, but it does not arrive as it should."""

import asyncio
import struct
import zlib
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass, replace

from upstream.simulator.faults.held import HeldRequests
from upstream.simulator.http_exchange import Line, Response

_MIB = 1024 * 1024
_CRC_OF_A_GIB_OF_ZEROS = 0x5B64C2B0


@dataclass(frozen=True, slots=True)
class Delivery:
    """An answer on its way. Whoever waits, waits at `hang`, which opens when faults are cleared."""

    line: Line
    response: Response
    hang: HeldRequests

    async def as_it_should(self) -> None:
        await self.line.send(self.response)

    async def wait(self, seconds: float | None) -> bool:
        """Wait so long. False when it ended early: the client has gone or the gate is open."""
        waiting = asyncio.ensure_future(self.hang.wait_for_release())
        try:
            done, _ = await asyncio.wait(
                {waiting, self.line.gone()}, timeout=seconds, return_when=asyncio.FIRST_COMPLETED
            )
        finally:
            waiting.cancel()
        return not done

    async def stream(self, chunks: Iterator[bytes]) -> None:
        """Send this body instead of the right one, without a length, until the client goes."""
        await self.line.head(self.response, length=None)
        for chunk in chunks:
            if self.line.gone().done():
                return
            await self.line.chunk(chunk)
            await asyncio.sleep(0)
        await self.line.chunk(b"", last=True)


ConnectionFault = Callable[..., Awaitable[None]]
"""Called with the delivery and the fault's options by name."""


async def _timeout(delivery: Delivery, *, seconds: float | None = None) -> None:
    """Say nothing until the client hangs up, the faults are cleared, or `seconds` pass."""
    await delivery.wait(seconds)
    await delivery.as_it_should()


async def _slow(delivery: Delivery, *, seconds: float = 1.0) -> None:
    """Handler late."""
    await delivery.wait(seconds)
    await delivery.as_it_should()


async def _drip(delivery: Delivery, *, seconds: float = 0.05) -> None:
    """Send the body a byte at a time, `seconds` apart."""
    line, body = delivery.line, delivery.response.body
    await line.head(delivery.response, length=len(body))
    for index in range(len(body)):
        if not await delivery.wait(seconds):
            await line.cut(reset=False)
            return
        await line.chunk(body[index : index + 1], last=index == len(body) - 1)


async def _gzip_bomb(delivery: Delivery) -> None:
    """A mebibyte of gzip that unpacks to a gibibyte of zeros."""
    packed = delivery.response.with_headers(("Content-Encoding", "gzip"))
    await replace(delivery, response=packed).stream(_gibibyte_of_zeros())


async def _huge(delivery: Delivery, *, mebibytes: int = 64) -> None:
    """A plain body of that size."""
    await delivery.stream(b" " * _MIB for _ in range(mebibytes))


async def _reset(delivery: Delivery) -> None:
    """No answer: the connection is reset."""
    await delivery.line.cut(reset=True)


async def _cut(delivery: Delivery) -> None:
    """Half of the body that was announced, then the connection closes."""
    body = delivery.response.body
    await delivery.line.head(delivery.response, length=len(body))
    await delivery.line.chunk(body[: len(body) // 2])
    await delivery.line.cut(reset=False)


def _gibibyte_of_zeros() -> Iterator[bytes]:
    packer = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
    block = packer.compress(bytes(_MIB)) + packer.flush(zlib.Z_FULL_FLUSH)
    yield b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff"
    # A full flush forgets what came before, so the same block may be repeated.
    for _ in range(1024):
        yield block
    yield packer.flush() + struct.pack("<II", _CRC_OF_A_GIB_OF_ZEROS, 1024 * _MIB)


CONNECTION_FAULTS: dict[str, ConnectionFault] = {
    "timeout": _timeout,
    "slow": _slow,
    "drip": _drip,
    "gzip-bomb": _gzip_bomb,
    "huge": _huge,
    "reset": _reset,
    "cut": _cut,
}
