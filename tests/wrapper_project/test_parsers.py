"""Which request bodies are parsed, and which are refused."""

import io
from typing import Any

import orjson
import pytest
from django.test import Client, RequestFactory
from django.test.client import FakePayload
from hypothesis import given
from hypothesis import strategies as st
from rest_framework.parsers import JSONParser

from accounts import strict_json
from wrapper_project import parsers

REFUSED = {
    "nothing like JSON": b"hello",
    "half of it": b'{"a":',
    "two documents": b"{}{}",
    "an array": b"[]",
    "a word": b'"text"',
    "NaN": b'{"a":NaN}',
    "infinity": b'{"a":-Infinity}',
    "a number beyond any float": b'{"a":1e400}',
    "five thousand digits": b'{"a":' + b"9" * 5000 + b"}",
    "one more than 64 bits": b'{"a":9223372036854775808}',
    "one less than 64 bits": b'{"a":-9223372036854775809}',
    "NUL in a value": b'{"a":["\\u0000"]}',
    "NUL in a key": b'{"a\\u0000":1}',
    "a bare NUL": b'{"a":"\x00"}',
    "half a surrogate pair": b'{"a":"\\ud800"}',
    "the other half": b'{"a":"\\udc00x"}',
    "not UTF-8": b'{"a":"\xff"}',
    "UTF-16": '{"a":1}'.encode("utf-16"),
    "a byte order mark": b"\xef\xbb\xbf{}",
    "nesting of 33": b'{"a":' * 33 + b"1" + b"}" * 33,
    "nesting of 500": b'{"a":' + b"[" * 500 + b"]" * 500 + b"}",
    "nesting of 100,000": b"[" * 100_000,
}


@pytest.mark.parametrize("body", REFUSED.values(), ids=REFUSED)
def test_it_refuses(body: bytes) -> None:
    with pytest.raises(strict_json.InvalidJson):
        strict_json.parse(body)


ACCEPTED: dict[str, tuple[bytes, Any]] = {
    "nothing at all": (b"", {}),
    "white space": (b" \r\n", {}),
    "åäö": ('{"namn":"Åsa Öberg"}'.encode(), {"namn": "Åsa Öberg"}),
    "a whole surrogate pair": (b'{"a":"\\ud83d\\ude00"}', {"a": "\U0001f600"}),
    "a backslash before u0000": (b'{"a":"\\\\u0000"}', {"a": "\\u0000"}),
    "the same key twice: the last counts": (b'{"a":1,"a":2}', {"a": 2}),
    "64 bits": (b'{"a":[9223372036854775807,-9223372036854775808]}', {"a": [2**63 - 1, -(2**63)]}),
    "minus nothing": (b'{"a":-0}', {"a": 0}),
}


@pytest.mark.parametrize(("body", "read"), ACCEPTED.values(), ids=ACCEPTED)
def test_it_accepts(body: bytes, read: Any) -> None:
    assert strict_json.parse(body) == read


def test_it_accepts_32_levels() -> None:
    assert strict_json.parse(b'{"a":' * 32 + b"1" + b"}" * 32)


def test_a_view_may_accept_more_levels() -> None:
    deep = b'{"a":' * 33 + b"1" + b"}" * 33
    assert strict_json.parse(deep, 33)
    with pytest.raises(strict_json.NestedTooDeep):
        strict_json.parse(deep, 32)


_plain = (
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**63 - 1)
    | st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"))
)


@given(st.dictionaries(st.text("abc"), st.recursive(_plain, lambda x: st.lists(x, max_size=4))))
def test_parsing_returns_what_was_sent(document: dict[str, Any]) -> None:
    assert strict_json.parse(orjson.dumps(document)) == document


class Endless(io.RawIOBase):
    given = 0

    def read(self, size: int = -1, /) -> bytes:
        self.given += size
        return b"x" * size


def test_it_reads_no_further_than_the_limit() -> None:
    stream = Endless()
    with pytest.raises(parsers.BodyTooLarge):
        parsers.read_bounded(stream, 100_000)
    assert stream.given == 100_001


@pytest.mark.parametrize(
    "content_type",
    ["application/json", "text/plain", "", "application/x-www-form-urlencoded",
     "multipart/form-data; boundary=x", "application/xml", "nonsense"],
)  # fmt: skip
@pytest.mark.parametrize("body", [b'{"a":"b"}', b""])
def test_a_body_is_json_whatever_its_content_type_says(
    content_type: str, body: bytes, odd: Client
) -> None:
    answer = odd.post("/api/echo", body, content_type=content_type)
    assert answer.json() == {"read": orjson.loads(body or b"{}")}


def test_a_form_is_not_json(odd: Client) -> None:
    answer = odd.post("/api/echo", {"a": "b"})
    assert (answer.status_code, answer.json()["code"]) == (400, "invalid_json")


@pytest.mark.parametrize("size", [1001, 300_000])
def test_a_long_body_is_413(size: int, odd: Client) -> None:
    answer = odd.post("/api/echo", b" " * size, content_type="application/json")
    assert (answer.status_code, answer.json()["code"]) == (413, "too_large")


def test_a_body_without_a_length_is_read_and_limited(odd: Client) -> None:
    def send(body: bytes) -> Any:
        environ: dict[str, Any] = {
            "wsgi.input": io.BytesIO(body),
            "wsgi.input_terminated": True,
            "HTTP_TRANSFER_ENCODING": "chunked",
        }
        return odd.generic("POST", "/api/echo", **environ)

    assert send(b'{"a":1}').json() == {"read": {"a": 1}}
    assert send(b" " * 1001).status_code == 413


def test_a_body_with_too_large_a_length_is_not_read(rf: RequestFactory) -> None:
    class Untouchable(FakePayload):
        def read(self, *args: Any, **kwargs: Any) -> bytes:
            raise AssertionError("read")

    environ: dict[str, Any] = {"wsgi.input": Untouchable(b""), "CONTENT_LENGTH": "999999"}
    request = rf.post("/", **environ)
    with pytest.raises(parsers.BodyTooLarge):
        parsers.StrictJSONParser().parse(request, None, {"request": request})


def test_of_a_body_without_an_end_no_more_is_discarded_than_a_proxy_lets_through(
    rf: RequestFactory,
) -> None:
    stream = Endless()
    environ: dict[str, Any] = {
        "wsgi.input": stream,
        "wsgi.input_terminated": True,
        "HTTP_TRANSFER_ENCODING": "chunked",
    }
    request = rf.generic("POST", "/", **environ)
    parsers.prepare_body_headers(request)
    parsers.discard_body(request)
    assert stream.given == parsers.MAX_DISCARDED_BYTES


def test_it_is_not_a_subclass_of_the_stock_parser() -> None:
    """REST framework reads the whole body first for its own parsers."""
    assert not issubclass(parsers.StrictJSONParser, JSONParser)
