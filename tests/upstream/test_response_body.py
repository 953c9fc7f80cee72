"""Response bodies of every size and encoding."""

import gzip
import random
import tracemalloc
import zlib

import pytest

from tests.upstream.conftest import Get
from tests.upstream.raw_server import RawServer, always, http
from upstream.errors import UpstreamInvalid
from upstream.response_body import MAX_BODY, UnreadableBody, inflate


def test_gzip_is_inflated(get: Get, server: RawServer) -> None:
    server.script = always(http(gzip.compress(b"plain"), Content_Encoding="gzip"))
    assert get().body() == b"plain"


@pytest.mark.parametrize("encoding", ["br", "deflate", "gzip, gzip"])
def test_another_encoding_is_invalid(get: Get, server: RawServer, encoding: str) -> None:
    server.script = always(http(gzip.compress(b"x"), Content_Encoding=encoding))
    with pytest.raises(UpstreamInvalid):
        get().body()


def test_a_gzip_bomb_is_rejected_early_in_little_memory() -> None:
    packer = zlib.compressobj(9, zlib.DEFLATED, 31)
    zeros = bytes(1 << 20)
    bomb = b"".join(packer.compress(zeros) for _ in range(128)) + packer.flush()
    assert len(bomb) < 1 << 18
    tracemalloc.start()
    try:
        with pytest.raises(UnreadableBody, match="too large"):
            inflate([bomb], MAX_BODY)
        assert tracemalloc.get_traced_memory()[1] < MAX_BODY / 4
    finally:
        tracemalloc.stop()


def in_pieces(data: bytes, size: int) -> list[bytes]:
    return [data[at : at + size] for at in range(0, len(data), size)]


@pytest.mark.parametrize("size", [1, 3, 1000])
@pytest.mark.parametrize(
    "data",
    [
        b"not gzip",
        gzip.compress(b"x")[:-4],
        gzip.compress(b"x") + b"more",
        gzip.compress(b"x") * 2,
        gzip.compress(b"x")[:-8] + bytes(8),
    ],
    # A gzip member holds the time, so ids made of the bytes would differ between collections.
    ids=["no member", "cut", "more after it", "two", "wrong sum"],
)
def test_only_one_whole_gzip_member_is_valid(data: bytes, size: int) -> None:
    with pytest.raises(UnreadableBody):
        inflate(in_pieces(data, size), 100)


@pytest.mark.parametrize("size", [1, 100_000, 1 << 24])
def test_pieces_of_any_size_make_the_whole_body(size: int) -> None:
    plain = random.Random(7).randbytes(400_000) + b"x" * 400_000
    assert inflate(in_pieces(gzip.compress(plain), size), MAX_BODY) == plain


def test_the_limit_is_exact() -> None:
    for limit in (100, 1 << 16, 1 << 17):
        assert inflate([gzip.compress(b"x" * limit)], limit) == b"x" * limit
        with pytest.raises(UnreadableBody):
            inflate([gzip.compress(b"x" * (limit + 1))], limit)


@pytest.mark.parametrize("length", [0, 1, 65_535, 65_536, 65_537, 131_072, MAX_BODY])
@pytest.mark.parametrize("way", ["length", "chunks"])
def test_bodies_of_every_length_leave_the_connection_usable(
    get: Get, server: RawServer, length: int, way: str
) -> None:
    body = b"x" * length
    chunks = b"".join(b"%x\r\n%b\r\n" % (len(part), part) for part in in_pieces(body, 30_000))
    head = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
    server.script = always(http(body) if way == "length" else head + chunks + b"0\r\n\r\n")
    assert [get().body() == body for _ in range(2)] == [True, True]
    assert {request.connection for request in server.requests} == {1}


def test_an_empty_body_is_valid_in_any_encoding(get: Get, server: RawServer) -> None:
    for encoding in ("gzip", "br"):
        server.script = always(http(b"", Content_Encoding=encoding))
        assert get().body() == b""


def test_a_gzip_bomb_is_not_read_to_its_end(get: Get, server: RawServer) -> None:
    bomb = gzip.compress(bytes(3 * MAX_BODY))
    assert len(bomb) < 8192
    head = b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 999999\r\n\r\n"
    server.script = always(head + bomb + bytes(1 << 17), 5.0)
    with pytest.raises(UpstreamInvalid, match="too large"):
        get().body()
    server.script = always(http(b"next"))
    assert get().body() == b"next"
    assert server.requests[-1].connection == 2


def test_the_status_counts_even_if_the_body_is_unreadable(get: Get, server: RawServer) -> None:
    server.script = always(http(b"no gzip", status=503, Content_Encoding="gzip"))
    response = get()
    assert response.status == 503
    with pytest.raises(UpstreamInvalid):
        response.body()


@pytest.mark.parametrize("way", ["length", "chunks", "endless"])
def test_too_large_a_response_is_invalid_and_its_connection_closed(
    get: Get, server: RawServer, way: str
) -> None:
    block = b"x" * (1 << 16)
    head = b"HTTP/1.1 200 OK\r\n"
    server.script = {
        "length": always(head + b"Content-Length: 999999999\r\n\r\n", block, 3.0),
        "chunks": always(
            head + b"Transfer-Encoding: chunked\r\n\r\n", *[b"10000\r\n" + block + b"\r\n"] * 40
        ),
        "endless": always(head + b"\r\n", *[block] * 40, b""),
    }[way]
    with pytest.raises(UpstreamInvalid):
        get()
    server.script = always(http(b"next"))
    assert get().body() == b"next"
    assert server.requests[-1].connection == 2
