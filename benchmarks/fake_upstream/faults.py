"""Faults of the fake upstream, for one school at a time, and the calls that arrive meanwhile.

`error`: 500. `flaky`: 503 to every third call. `drip`: one byte a second, alternately from the
first byte and from the body on. `gzip`: alternately a megabyte that inflates to a gigabyte, and a
gigabyte of gzip. `none`: no fault, but calls are still recorded.
"""

import asyncio
import time
import zlib
from collections.abc import Callable
from functools import cache
from typing import Protocol

KINDS = ("none", "error", "flaky", "drip", "gzip")
DRIP_SECONDS = 1.0
GIGABYTE = 1024**3
_BLOCK = 16 * 1024 * 1024
_STORED = 0xFFFF  # the largest size of an uncompressed block in gzip
_GZIP_HEAD = b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03"
_HEAD = b"HTTP/1.1 %b\r\nContent-Type: application/json\r\n%b\r\n"


class Wire(Protocol):
    """The connection that a fault writes to."""

    paused: bool

    def send(self, data: bytes) -> bool:
        """Write; False if the connection is closed."""
        ...


class Fault:
    """The fault of one school since it was set. Arrivals are (seconds since then, kind of call)."""

    def __init__(self, kind: str) -> None:
        if kind not in KINDS:
            raise ValueError(f"no such fault: {kind}")
        if kind == "gzip":
            bomb()  # takes half a second the first time
        self.kind = kind
        self.since = time.monotonic()
        self.arrivals: list[tuple[float, str]] = []

    def answer(self, wire: Wire, call: str, right: bytes) -> bytes | None:
        """The response to a call, given the right one; None if the fault sends it itself."""
        self.arrivals.append((time.monotonic() - self.since, call))
        turn = len(self.arrivals)
        if self.kind == "error":
            return _failing(b"500 Internal Server Error")
        if self.kind == "flaky" and turn % 3 == 0:
            return _failing(b"503 Service Unavailable")
        if self.kind == "drip":
            _drip(wire, right, 0 if turn % 2 else right.index(b"\r\n\r\n") + 4)
            return None
        if self.kind == "gzip" and turn % 2:
            return bomb()
        if self.kind == "gzip":
            head = b"Content-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n"
            wire.send(_HEAD % (b"200 OK", head) + _chunk(_GZIP_HEAD))
            _flood(wire, GIGABYTE // _STORED)
            return None
        return right


def _failing(status: bytes) -> bytes:
    return _HEAD % (status, b"Content-Length: 2\r\n") + b"{}"


def _later(seconds: float, what: Callable[..., None], *arguments: object) -> None:
    asyncio.get_running_loop().call_later(seconds, what, *arguments)


def _drip(wire: Wire, answer: bytes, whole: int) -> None:
    """Send the first `whole` bytes at once, then one a second."""
    if wire.send(answer[: whole + 1]) and len(answer) > whole + 1:
        _later(DRIP_SECONDS, _drip, wire, answer[whole + 1 :], 0)


def _flood(wire: Wire, chunks: int) -> None:
    """Send this many chunks, as fast as the client reads them."""
    if wire.paused:
        _later(0.005, _flood, wire, chunks)
    elif chunks and wire.send(_stored_chunk()):
        _later(0, _flood, wire, chunks - 1)


@cache
def _stored_chunk() -> bytes:
    """A chunk of the transfer: one uncompressed block of gzip."""
    sizes = _STORED.to_bytes(2, "little") + (_STORED ^ 0xFFFF).to_bytes(2, "little")
    return _chunk(b"\x00" + sizes + b"x" * _STORED)


def _chunk(data: bytes) -> bytes:
    return b"%x\r\n%b\r\n" % (len(data), data)


@cache
def bomb() -> bytes:
    """An answer of about a megabyte that inflates to a gigabyte of blanks."""
    packer = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
    blanks = b" " * _BLOCK
    # A full flush resets the compressor, so the same block may be repeated.
    block = packer.compress(blanks) + packer.flush(zlib.Z_FULL_FLUSH)
    blocks, check = GIGABYTE // _BLOCK, 0
    for _ in range(blocks):
        check = zlib.crc32(blanks, check)
    trailer = check.to_bytes(4, "little") + GIGABYTE.to_bytes(4, "little")
    body = _GZIP_HEAD + block * blocks + packer.flush() + trailer
    head = b"Content-Encoding: gzip\r\nContent-Length: %d\r\n" % len(body)
    return _HEAD % (b"200 OK", head) + body
