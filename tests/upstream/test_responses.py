"""The classification of responses."""

from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from typing import Any

import pytest
from urllib3 import HTTPHeaderDict

from upstream import responses
from upstream.errors import (
    NotForThisLogin,
    NotForThisRole,
    SessionDead,
    UpstreamError,
    UpstreamFailing,
    UpstreamInvalid,
    UpstreamNotFound,
    UpstreamThrottled,
)
from upstream.transport import UpstreamResponse

URL = "https://h/bjorkdalen/rest-api/session"
LOGIN_PAGE = b'<html><form><input id="ssusername"><input name="sspassword"></form></html>'


def response(status: int = 200, body: bytes = b"", **headers: str) -> UpstreamResponse:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return UpstreamResponse(
        status, HTTPHeaderDict({"Content-Type": "application/json"} | named), body
    )


# --- Availability --------------------------------------------------------------------------------


@pytest.mark.parametrize("status", [200, 204, 302, 400, 401, 403, 404, 418])
def test_other_statuses_are_not_availability_errors(status: int) -> None:
    assert responses.availability_error(response(status)) is None


@pytest.mark.parametrize("status", [500, 502, 503, 504, 599])
def test_5xx_is_failing(status: int) -> None:
    failure = responses.availability_error(response(status))
    assert isinstance(failure, UpstreamFailing)
    assert failure.status == status


@pytest.mark.parametrize(
    ("text", "seconds"),
    [("7", 7), ("0", 1), ("999999", 300), ("", 5), ("soon", 5), ("-3", 5), ("1.5", 5),
     ("9" * 5000, 300), ("２", 5), ("Wed, 99 Foo 2026", 5)],
)  # fmt: skip
def test_a_429_says_how_long_to_wait(text: str, seconds: int) -> None:
    failure = responses.availability_error(response(429, Retry_After=text))
    assert isinstance(failure, UpstreamThrottled)
    assert failure.retry_after == seconds


def test_retry_after_may_be_a_date() -> None:
    in_a_minute = format_datetime(datetime.now(UTC) + timedelta(seconds=60), usegmt=True)
    assert 57 <= responses.retry_after(response(429, Retry_After=in_a_minute)) <= 60
    past = format_datetime(datetime.now(UTC) - timedelta(days=9), usegmt=True)
    assert responses.retry_after(response(429, Retry_After=past)) == 1


# --- Data ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("status", "error"),
    [
        (401, SessionDead),
        (403, NotForThisRole),
        (404, UpstreamNotFound),
        (400, UpstreamInvalid),
        (405, UpstreamInvalid),
        (103, UpstreamInvalid),
        (206, UpstreamInvalid),
    ],
)
def test_a_status_is_read_before_the_body(status: int, error: type[UpstreamError]) -> None:
    with pytest.raises(error):
        responses.read_data(response(status, b"[]"), URL)


@pytest.mark.parametrize(
    ("location", "error"),
    [
        ("Login.jsp", SessionDead),
        ("/bjorkdalen/jsp/Login.jsp?x=1", SessionDead),
        ("https://h/bjorkdalen/jsp/Login.jsp", SessionDead),
        ("../samlLogin.jsp", SessionDead),
        ("/bjorkdalen/html/redirect_login.htm", SessionDead),
        ("https://idp.example/saml/LOGIN", SessionDead),
        ("/bjorkdalen/jsp/student/right_student_app_blocked.jsp", NotForThisLogin),
        ("/elsewhere", UpstreamInvalid),
        ("/elsewhere?next=login", UpstreamInvalid),
        ("", UpstreamInvalid),
        ("http://[broken", UpstreamInvalid),
    ],
)
def test_a_redirect_is_classified_by_its_target(location: str, error: type[UpstreamError]) -> None:
    with pytest.raises(error):
        responses.read_data(response(302, Location=location), "https://h/bjorkdalen/rest-api/x")


@pytest.mark.parametrize("body", [b"", b" \r\n"])
def test_an_empty_body_is_not_null(body: bytes) -> None:
    assert responses.read_data(response(200, body), URL) == ""
    assert responses.read_data(response(204), URL) == ""
    assert responses.read_data(response(200, b"null"), URL) is None


@pytest.mark.parametrize(
    ("body", "found"),
    [(b"[1]", [1]), (b"\xef\xbb\xbf{}", {}), ('"å"'.encode(), "å"), (b" 7 ", 7)],
)
def test_json_is_read(body: bytes, found: Any) -> None:
    assert responses.read_data(response(200, body), URL) == found


@pytest.mark.parametrize("kind", ["application/json", "text/plain", "", "application/hal+json"])
def test_the_content_type_may_be_odd(kind: str) -> None:
    assert responses.read_data(response(200, b"[]", Content_Type=kind), URL) == []


@pytest.mark.parametrize(
    "body",
    [
        b"{",
        b"[1,",
        b"NaN",
        b'"\xe5"',
        b'"\\ud800"',
        b"[" * 100_000,
        b"[" * 5_000 + b"]" * 5_000,
        b'{"a":' * 50_000,
        b"hello",
    ],
    ids=[
        "cut",
        "cut list",
        "nan",
        "latin-1",
        "surrogate",
        "deep",
        "deep closed",
        "deep map",
        "text",
    ],
)
def test_malformed_json_is_invalid(body: bytes) -> None:
    with pytest.raises(UpstreamInvalid):
        responses.read_data(response(200, body), URL)


def test_a_response_labelled_html_is_not_data() -> None:
    with pytest.raises(UpstreamInvalid):
        responses.read_data(response(200, b"[]", Content_Type="text/html"), URL)


@pytest.mark.parametrize("kind", ["text/html;charset=ISO-8859-1", "application/json", ""])
def test_a_login_page_instead_of_data_is_a_dead_session(kind: str) -> None:
    with pytest.raises(SessionDead):
        responses.read_data(response(200, LOGIN_PAGE, Content_Type=kind), URL)


def test_the_name_of_a_login_field_in_data_is_only_data() -> None:
    assert responses.read_data(response(200, b'["ssusername"]'), URL) == ["ssusername"]


# --- The session ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "dead",
    [
        response(401),
        response(403),
        response(302, Location="Login.jsp"),
        response(200),
        response(204),
        response(200, b"{}"),
        response(200, b'{"user":null}'),
        response(200, b"null"),
        response(200, LOGIN_PAGE, Content_Type="text/html"),
        response(200, b"<html></HTML>\n<!-- x -->", Content_Type="text/html"),
    ],
)
def test_every_form_of_a_dead_session_is_recognised(dead: UpstreamResponse) -> None:
    with pytest.raises(SessionDead):
        responses.read_session(dead, URL)


@pytest.mark.parametrize(
    "odd",
    [
        response(200, b"[]"),
        response(200, b"7"),
        response(200, b"{"),
        response(400),
        response(302),
        response(200, b"<html>", Content_Type="text/html"),
        response(200, LOGIN_PAGE.removesuffix(b"</html>"), Content_Type="text/html"),
    ],
)
def test_other_session_documents_are_invalid(odd: UpstreamResponse) -> None:
    with pytest.raises(UpstreamInvalid):
        responses.read_session(odd, URL)


def test_an_unknown_school_is_not_a_dead_session() -> None:
    with pytest.raises(UpstreamNotFound):
        responses.read_session(response(404), URL)
