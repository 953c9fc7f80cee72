"""The body of an answer, bounded on the way in.

It is read and inflated a piece at a time, and given up at the first piece too many: a school that
sends a gigabyte to twenty people at once costs what twenty usual answers cost, not the megabytes
that wait on the wire.
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
    """The bytes are no body. What the status says may still count, so it is told later."""


def read_body(raw: BaseHTTPResponse) -> bytes:
    """All of a body as plain bytes, before and after inflation at most `MAX_BODY` of them.

    Raises: UpstreamInvalid (too many came), UpstreamUnreachable (it was cut), Unreadable (an
    encoding that we did not ask for, a bomb, no gzip).
    """
    if (raw.length_remaining or 0) > MAX_BODY:
        raise UpstreamInvalid("an answer beyond bounds")
    encoding = (raw.headers.get("Content-Encoding") or "").strip().lower()
    pieces = _pieces(raw)
    if encoding in ("", "identity"):
        return b"".join(pieces)
    if encoding in ("gzip", "x-gzip"):
        return inflate(pieces, MAX_BODY)
    if any(pieces):
        raise UnreadableBody("an encoding that was not asked for")
    return b""


def _pieces(raw: BaseHTTPResponse) -> Iterator[bytes]:
    """The bytes as they were sent. A usual answer is one piece."""
    taken = 0
    while True:
        piece = raw.read(_PIECE, decode_content=False)
        taken += len(piece)
        if taken > MAX_BODY:
            raise UpstreamInvalid("an answer beyond bounds")
        if piece:
            yield piece
        if len(piece) < _PIECE:
            break
    if raw.length_remaining:
        raise UpstreamUnreachable("the answer was cut")


def inflate(pieces: Iterable[bytes], limit: int) -> bytes:
    """One gzip member, at most `limit` bytes of it: a megabyte of gzip can hold a gigabyte.

    What is large is measured first and inflated again when it is known to be in bounds: until
    then only what came is held. Nothing at all is an empty body.

    Raises: Unreadable when there is more than `limit`, or when it is not one whole member; what
    `pieces` raises.
    """
    inflater = zlib.decompressobj(_GZIP)
    came: list[bytes] = []
    part, size = b"", 0
    for piece in pieces:
        came.append(piece)
        rest = piece
        while rest and not inflater.eof:
            try:
                part = inflater.decompress(rest, _PIECE)
            except zlib.error:
                raise UnreadableBody("a body that does not inflate") from None
            size += len(part)
            if size > limit:
                raise UnreadableBody("an answer that inflates beyond bounds")
            rest = inflater.unconsumed_tail
        if rest or inflater.unused_data:
            raise UnreadableBody("a compressed body with more behind it")
    if came and not inflater.eof:
        raise UnreadableBody("a compressed body without its end")
    return part if len(part) == size else zlib.decompress(b"".join(came), _GZIP, size)
