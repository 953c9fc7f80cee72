"""Response bodies of every size and encoding."""

import gzip
import random
import tracemalloc
import zlib

import pytest

from tests.upstream.conftest import Get
from tests.upstream.raw_server import RawServer, always, http
from upstream.errors import AnswerTooLarge, UpstreamInvalid
from upstream.transport import MAX_BODY, decode_body


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
        assert decode_body(bomb, "gzip") is None
        assert tracemalloc.get_traced_memory()[1] < 3 * MAX_BODY
    finally:
        tracemalloc.stop()


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
def test_only_one_whole_gzip_member_is_valid(data: bytes) -> None:
    assert decode_body(data, "gzip") is None


def test_the_limit_is_exact() -> None:
    plain = random.Random(7).randbytes(400_000).ljust(MAX_BODY, b"x")
    assert decode_body(gzip.compress(plain), "gzip") == plain
    assert decode_body(gzip.compress(plain + b"x"), "gzip") is None


@pytest.mark.parametrize("length", [0, 1, 65_535, 65_536, 65_537, 131_072, MAX_BODY])
@pytest.mark.parametrize("way", ["length", "chunks"])
def test_bodies_of_every_length_leave_the_connection_usable(
    get: Get, server: RawServer, length: int, way: str
) -> None:
    body = b"x" * length
    parts = [body[at : at + 30_000] for at in range(0, length, 30_000)]
    chunks = b"".join(b"%x\r\n%b\r\n" % (len(part), part) for part in parts)
    head = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
    server.script = always(http(body) if way == "length" else head + chunks + b"0\r\n\r\n")
    assert [get().body() == body for _ in range(2)] == [True, True]
    assert {request.connection for request in server.requests} == {1}


def test_an_empty_body_is_valid_in_any_encoding(get: Get, server: RawServer) -> None:
    for encoding in ("gzip", "br"):
        server.script = always(http(b"", Content_Encoding=encoding))
        assert get().body() == b""


def test_a_gzip_bomb_is_invalid(get: Get, server: RawServer) -> None:
    bomb = gzip.compress(bytes(3 * MAX_BODY))
    assert len(bomb) < 16_384
    server.script = always(http(bomb, Content_Encoding="gzip"))
    with pytest.raises(UpstreamInvalid):
        get().body()


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
            head + b"Transfer-Encoding: chunked\r\n\r\n", *[b"10000\r\n" + block + b"\r\n"] * 80
        ),
        "endless": always(head + b"\r\n", *[block] * 80, b""),
    }[way]
    with pytest.raises(AnswerTooLarge):
        get()
    server.script = always(http(b"next"))
    assert get().body() == b"next"
    assert server.requests[-1].connection == 2
