"""Streams of files from a raw server, and the slots."""

import time
from concurrent.futures import ThreadPoolExecutor, as_completed

import pytest

from tests.concurrency import wait_until
from tests.upstream.raw_server import RawServer, always, http
from upstream import downloads
from upstream.downloads import CHUNK, DownloadSlots, FileStream, file_exchange
from upstream.errors import BulkheadFull, FileTooLarge, UpstreamTimeout, UpstreamUnreachable
from upstream.transport import Request, Transport

CHUNKED = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"


def opened(transport: Transport, server: RawServer, seconds: float = 5.0) -> FileStream:
    exchange = file_exchange(time.monotonic() + seconds)
    return FileStream(transport.open(Request("GET", f"{server.url}/a", {}), exchange), exchange)


def test_a_file_is_given_in_pieces(transport: Transport, server: RawServer) -> None:
    body = bytes(range(256)) * 2048
    server.script = always(http(body))
    stream = opened(transport, server)
    pieces = list(stream)
    assert stream.length == len(body)
    assert b"".join(pieces) == body
    assert max(map(len, pieces)) <= 2 * CHUNK


def test_a_file_without_a_length(transport: Transport, server: RawServer) -> None:
    server.script = always(CHUNKED + b"3\r\nabc\r\n0\r\n\r\n")
    stream = opened(transport, server)
    assert (stream.length, b"".join(stream)) == (None, b"abc")


@pytest.mark.parametrize("head", [CHUNKED + b"3\r\nabc\r\n", http(b"abc" * 9)[:-4]])
def test_a_file_that_is_cut(transport: Transport, server: RawServer, head: bytes) -> None:
    server.script = always(head, b"")
    with pytest.raises(UpstreamUnreachable):
        list(opened(transport, server))


def test_a_drip_ends_with_the_time_of_the_file(transport: Transport, server: RawServer) -> None:
    """The first bytes come in time; the rest would take a year."""
    drip = [piece for _ in range(2000) for piece in (b"abcd", 0.02)]
    server.script = always(b"HTTP/1.1 200 OK\r\nContent-Length: 9999999\r\n\r\n", b"x" * 600, *drip)
    stream = opened(transport, server)
    stream.give_until(time.monotonic() + 0.3)
    with pytest.raises(UpstreamTimeout):
        list(stream)
    stream.close()


def test_time_that_is_over_between_two_reads_is_a_timeout(
    transport: Transport, server: RawServer
) -> None:
    server.script = always(b"HTTP/1.1 200 OK\r\nContent-Length: 999\r\n\r\n", b"x" * 600, 5.0)
    stream = opened(transport, server)
    stream.give_until(time.monotonic() - 1)
    with pytest.raises(UpstreamTimeout):
        stream._read()
    stream.close()


def test_first_bytes_that_do_not_come(transport: Transport, server: RawServer) -> None:
    server.script = always(b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n", 5.0)
    with pytest.raises(UpstreamTimeout):
        opened(transport, server, seconds=0.2)


def test_a_length_that_is_too_large(transport: Transport, server: RawServer) -> None:
    server.script = always(b"HTTP/1.1 200 OK\r\nContent-Length: 26214401\r\n\r\n", 5.0)
    with pytest.raises(FileTooLarge):
        opened(transport, server)


def test_slots_of_a_person_and_of_all(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(downloads, "WAIT_SECONDS", 0.01)
    slots = DownloadSlots(64)
    assert (slots.most, slots.of_a_person) == (16, 12)
    releases = [slots.take("a") for _ in range(12)]
    with pytest.raises(BulkheadFull):
        slots.take("a")
    releases += [slots.take("b") for _ in range(4)]
    with pytest.raises(BulkheadFull):
        slots.take("c")
    for release in releases:
        release()
    assert slots.held == 0
    slots.take("c")


def test_a_download_waits_for_a_slot_and_not_everybody_may(monkeypatch: pytest.MonkeyPatch) -> None:
    """An article of thirty pictures, which a browser asks for at once."""
    monkeypatch.setattr(downloads, "WAIT_SECONDS", 60.0)
    slots = DownloadSlots(64)
    first = [slots.take("a") for _ in range(12)]
    with ThreadPoolExecutor(16) as pool:
        waiting = [pool.submit(slots.take, "a") for _ in range(16)]
        wait_until(lambda: slots.waiting == 16)
        with pytest.raises(BulkheadFull):
            slots.take("a")
        slots.take("b")()
        for release in first:
            release()
        for number, each in enumerate(as_completed(waiting)):
            if number < 4:  # sixteen wait for twelve slots
                each.result()()
    assert (slots.held, slots.waiting) == (12, 0)
