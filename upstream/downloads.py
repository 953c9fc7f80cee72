"""Files that are passed on while they arrive: the bytes of one, and how many at once.

A file holds no thread of the school's share, because it may take a minute. It has a slot of its
own instead, so that downloads leave most threads of the server to other requests.
"""

import threading
import time
from collections import Counter
from collections.abc import Callable
from typing import Final, Self

from requests.exceptions import ReadTimeout
from urllib3.response import BaseHTTPResponse

from upstream.deadline import seconds_left
from upstream.errors import BulkheadFull, FileTooLarge, UpstreamInvalid
from upstream.timed_connections import Exchange
from upstream.transport import in_exchange

MAX_FILE: Final = 25 * 1024 * 1024
# From the first request until the last byte.
FILE_SECONDS: Final = 60.0
CHUNK: Final = 64 * 1024
# Enough to know what is in a file.
START: Final = 512
_HEADERS: Final = 256 * 1024
# How long a download waits for a slot, such as the thirteenth picture of an article.
WAIT_SECONDS: Final = 2.0


class DownloadSlots:
    """A quarter of the threads of a process; a person has at most three quarters of them.

    Who waits for a slot holds a thread, too: at most as many wait as there are slots.
    """

    def __init__(self, threads: int) -> None:
        self.most = max(2, threads // 4)
        self.of_a_person = max(1, self.most * 3 // 4)
        self._lock = threading.Condition()
        self._held: Counter[str] = Counter()
        self._waiting = 0

    def take(self, person: str) -> Callable[[], None]:
        """A slot, at once or within two seconds; call what is returned to give it back.

        Raises: BulkheadFull.
        """
        with self._lock:
            if not self._is_free(person) and not self._wait(person):
                raise BulkheadFull("too many downloads at once", retry_after=5)
            self._held[person] += 1
        return lambda: self._release(person)

    def _is_free(self, person: str) -> bool:
        return self._held.total() < self.most and self._held[person] < self.of_a_person

    def _wait(self, person: str) -> bool:
        if self._waiting >= self.most:
            return False
        self._waiting += 1
        try:
            return self._lock.wait_for(lambda: self._is_free(person), seconds_left(WAIT_SECONDS))
        finally:
            self._waiting -= 1

    @property
    def held(self) -> int:
        """How many are held now."""
        with self._lock:
            return self._held.total()

    @property
    def waiting(self) -> int:
        """How many wait for one now."""
        with self._lock:
            return self._waiting

    def _release(self, person: str) -> None:
        with self._lock:
            self._held[person] -= 1
            if not self._held[person]:
                del self._held[person]
            self._lock.notify_all()


def file_exchange(deadline: float) -> Exchange:
    """The exchange of a file: its headers and first bytes come before the deadline."""
    return Exchange(deadline, bytes_left=MAX_FILE + _HEADERS)


class FileStream:
    """The bytes of a file, of which the first have come. Iterate over it once, and close it.

    `length` is the number of bytes; None if the school does not say. `start` are the first of them.
    """

    def __init__(self, raw: BaseHTTPResponse, exchange: Exchange) -> None:
        self.headers = raw.headers
        self._raw, self._exchange = raw, exchange
        self._given = 0
        self._ended = False
        self.start = b""
        encoding = (raw.headers.get("Content-Encoding") or "identity").strip().lower()
        try:
            self.length = raw.length_remaining
            if (self.length or 0) > MAX_FILE:
                raise FileTooLarge("a file with too many bytes")
            if encoding != "identity":
                raise UpstreamInvalid("a file in an encoding that was not requested")
            self.read_start(START)
        except BaseException:
            self.close()
            raise

    def read_start(self, count: int) -> bytes:
        """At least so many of the first bytes, unless there are fewer. Raises: as `__next__`."""
        while len(self.start) < count and (chunk := self._read()):
            self.start += chunk
        return self.start

    def give_until(self, ends: float) -> None:
        """Let the rest take until then (`time.monotonic()`)."""
        self._exchange.deadline = ends

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> bytes:
        """Raises: FileTooLarge; UpstreamTimeout, UpstreamUnreachable or UpstreamInvalid where the
        transfer breaks off."""
        chunk = self.start if self._given == 0 and self.start else self._read()
        if not chunk:
            raise StopIteration
        self._given += len(chunk)
        if self._given > MAX_FILE:
            raise FileTooLarge("a file with too many bytes")
        return chunk

    def _read(self) -> bytes:
        """What has arrived, at least a byte; nothing at the end."""
        if self._ended:
            return b""
        # With an answer in the buffer nothing is received, so the deadline is looked at here, too.
        chunk = in_exchange(self._exchange, self._read_in_time)
        self._ended = not chunk
        return chunk

    def _read_in_time(self) -> bytes:
        if time.monotonic() >= self._exchange.deadline:
            raise ReadTimeout("the exchange took too long")
        chunk: bytes = self._raw.read1(CHUNK, decode_content=False)
        return chunk

    def close(self) -> None:
        """Close the connection, also in the middle of the file."""
        self._raw.close()
        self._raw.release_conn()
