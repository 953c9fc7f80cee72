"""Forms of pages and of the staff site: at most 256 KiB, whoever sends them."""

import pytest

from tests.wrapper_project import servers

BOUNDARY = b"frontier"
MULTIPART = b"multipart/form-data; boundary=" + BOUNDARY
URLENCODED = b"application/x-www-form-urlencoded"
REPORT = "/shared/3q2-7wAAAAAAAAAAAAAAAA/report"
API_REPORT = "/api/notes/shared/3q2-7wAAAAAAAAAAAAAAAA/report"
STAFF = "/admin/login/"
PICTURE = "/api/profile/picture"
SIZES = (300_000, 3_000_000)
CHUNKED = b"Transfer-Encoding: chunked"


def form(size: int, content_type: bytes) -> bytes:
    """A form of about this many bytes: a long field, or a file."""
    if content_type == URLENCODED:
        return b"reason=other&text=" + b"x" * size
    head = (
        b'--%b\r\nContent-Disposition: form-data; name="text"; filename="a.txt"\r\n\r\n' % BOUNDARY
    )
    return head + b"x" * size + b"\r\n--" + BOUNDARY + b"--\r\n"


def answer_to(port: int, path: str, content_type: bytes, framing: bytes, body: bytes) -> bytes:
    head = (
        b"POST %b HTTP/1.1\r\nHost: localhost\r\nSec-Fetch-Site: same-origin\r\n"
        b"Content-Type: %b\r\n%b\r\n\r\n" % (path.encode(), content_type, framing)
    )
    return servers.exchange(port, head + body)


def status_of(port: int, path: str, content_type: bytes, framing: bytes, body: bytes) -> int:
    return int(answer_to(port, path, content_type, framing, body).split()[1])


def chunked(body: bytes) -> bytes:
    parts = [body[at : at + 50_000] for at in range(0, len(body), 50_000)]
    return b"".join(b"%x\r\n%b\r\n" % (len(part), part) for part in parts) + b"0\r\n\r\n"


@pytest.mark.parametrize("content_type", [MULTIPART, URLENCODED])
@pytest.mark.parametrize("path", [REPORT, API_REPORT, STAFF])
def test_a_form_that_says_that_it_is_too_long_is_413_before_it_arrives(
    http_server: int, path: str, content_type: bytes
) -> None:
    framing = b"Content-Length: 40000000"
    assert status_of(http_server, path, content_type, framing, b"") == 413


@pytest.mark.parametrize("content_type", [MULTIPART, URLENCODED])
@pytest.mark.parametrize("path", [REPORT, API_REPORT, STAFF])
def test_a_form_that_is_too_long_is_413(http_server: int, path: str, content_type: bytes) -> None:
    for size in SIZES:
        body = form(size, content_type)
        framing = b"Content-Length: %d" % len(body)
        assert status_of(http_server, path, content_type, framing, body) == 413
        assert status_of(http_server, path, content_type, CHUNKED, chunked(body)) == 413


@pytest.mark.parametrize("content_type", [MULTIPART, URLENCODED])
def test_a_short_form_is_read_however_it_is_sent(http_server: int, content_type: bytes) -> None:
    if content_type == URLENCODED:
        body = b"reason=nonsense&text=canary"
    else:
        field = b'--%b\r\nContent-Disposition: form-data; name="text"\r\n\r\ncanary\r\n--%b--\r\n'
        body = field % (BOUNDARY, BOUNDARY)
    for framing, sent in ((b"Content-Length: %d" % len(body), body), (CHUNKED, chunked(body))):
        answer = answer_to(http_server, REPORT, content_type, framing, sent)
        assert answer.startswith(b"HTTP/1.1 400")
        assert b"canary" in answer, "the page shows the text again"


def test_what_follows_a_body_whose_length_is_a_lie_is_not_read(http_server: int) -> None:
    body = form(3_000_000, URLENCODED)
    assert status_of(http_server, REPORT, URLENCODED, b"Content-Length: 5", body) == 400


def test_a_picture_of_a_stranger_is_401_however_long_it_is(http_server: int) -> None:
    for size in (1_000_000, 5_000_000):
        body = form(size, MULTIPART)
        framing = b"Content-Length: %d" % len(body)
        assert status_of(http_server, PICTURE, MULTIPART, framing, body) == 401
