"""Reads and inflates the body of a response within a limit.

It is read piece by piece, and reading ends with the first piece that exceeds the limit. So a school
that sends a gigabyte to twenty people at once does not use more memory than the limit allows.
"""

import zlib
from collections.abc import Iterable, Iterator
from typing import Final

from urllib3.response import BaseHTTPResponse

from upstream.errors import UpstreamInvalid, UpstreamUnreachable

MAX_BODY: Final = 2 * 1024 * 1024
_PIECE: Final = 64 * 1024
_GZIP: Final = 16 + zlib.MAX_WBITS


class UnreadableBody(Exception):
    """The bytes cannot be decoded. The status may still count, so the error is raised later."""


def read_body(raw: BaseHTTPResponse) -> bytes:
    """The whole body as plain bytes: at most `MAX_BODY`, before and after inflation.

    Raises: UpstreamInvalid (too large), UpstreamUnreachable (it was cut), UnreadableBody (an
    encoding that we did not request, a gzip bomb, invalid gzip).
    """
    if (raw.length_remaining or 0) > MAX_BODY:
        raise UpstreamInvalid("a response that is too large")
    encoding = (raw.headers.get("Content-Encoding") or "").strip().lower()
    pieces = _pieces(raw)
    if encoding in ("", "identity"):
        return b"".join(pieces)
    if encoding in ("gzip", "x-gzip"):
        return inflate(pieces, MAX_BODY)
    if any(pieces):
        raise UnreadableBody("an encoding that was not requested")
    return b""


def _pieces(raw: BaseHTTPResponse) -> Iterator[bytes]:
    """The bytes as they were sent, usually in one piece."""
    taken = 0
    while True:
        piece = raw.read(_PIECE, decode_content=False)
        taken += len(piece)
        if taken > MAX_BODY:
            raise UpstreamInvalid("a response that is too large")
        if piece:
            yield piece
        if len(piece) < _PIECE:
            break
    if raw.length_remaining:
        raise UpstreamUnreachable("the response was cut")


def inflate(pieces: Iterable[bytes], limit: int) -> bytes:
    """Inflate one gzip member to at most `limit` bytes; no input is an empty body.

    A megabyte of gzip can hold a gigabyte. So a large member is inflated twice: first to measure
    it, keeping only the compressed bytes, and again once it is known to fit.

    Raises: UnreadableBody for more than `limit`, or for anything but one whole member; what
    `pieces` raises.
    """
    inflater = zlib.decompressobj(_GZIP)
    compressed: list[bytes] = []
    part, size = b"", 0
    for piece in pieces:
        compressed.append(piece)
        rest = piece
        while rest and not inflater.eof:
            try:
                part = inflater.decompress(rest, _PIECE)
            except zlib.error:
                raise UnreadableBody("a body that is not valid gzip") from None
            size += len(part)
            if size > limit:
                raise UnreadableBody("a body that is too large when inflated")
            rest = inflater.unconsumed_tail
        if rest or inflater.unused_data:
            raise UnreadableBody("data after the end of the gzip member")
    if compressed and not inflater.eof:
        raise UnreadableBody("a gzip member without its end")
    return part if len(part) == size else zlib.decompress(b"".join(compressed), _GZIP, size)
