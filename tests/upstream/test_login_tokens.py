"""The specified requests for tokens and cookies."""

import json

import pytest

from tests.upstream.conftest import SCHOOL
from tests.upstream.raw_server import RawServer, always, http
from upstream.calls import login
from upstream.calls.web_sessions import translate_token
from upstream.client import UpstreamClient
from upstream.errors import (
    GrantRefused,
    SessionDead,
    UpstreamInvalid,
)
from upstream.records import WebSession


def test_the_token_request_is_as_specified(client: UpstreamClient, server: RawServer) -> None:
    server.respond({"access_token": "t", "token_type": "Bearer", "expires_in": 60})
    login.exchange_code(client, school=SCHOOL, code="c", verifier="v")
    (received,) = server.requests
    assert (received.method, received.target) == ("POST", f"/{SCHOOL}/rest-api/login/token")
    assert json.loads(received.body) == {
        "clientId": "eApp",
        "grantType": "code",
        "code": "c",
        "code_verifier": "v",
    }


def test_the_refresh_request_names_its_grant(client: UpstreamClient, server: RawServer) -> None:
    server.respond({"access_token": "t2", "refresh_token": "r2"})
    grant = login.refresh_token(client, school=SCHOOL, refresh_token="r1")
    assert (grant.access_token, grant.refresh_token) == ("t2", "r2")
    assert json.loads(server.requests[0].body) == {
        "clientId": "eApp",
        "grantType": "refresh_token",
        "refreshToken": "r1",
    }


@pytest.mark.parametrize("status", [400, 401, 403, 404])
def test_a_grant_that_is_not_accepted_is_refused(
    client: UpstreamClient, server: RawServer, status: int
) -> None:
    server.respond({"userMessage": "Ingen aktiv inloggnings-session"}, status)
    with pytest.raises(GrantRefused):
        login.exchange_code(client, school=SCHOOL, code="c", verifier="v")
    # A firewall that answers 403 ends no login.
    with pytest.raises(UpstreamInvalid if status == 403 else GrantRefused):
        login.refresh_token(client, school=SCHOOL, refresh_token="r")


@pytest.mark.parametrize("status", [200, 204, 303])
def test_a_translation_succeeds_if_it_sets_the_cookies(
    client: UpstreamClient, server: RawServer, status: int
) -> None:
    cookies = "JSESSIONID=A; Path=/, hash=b; Path=/, clientType=x"
    server.script = always(http(status=status, Set_Cookie=cookies, Location="/x"))
    web = translate_token(client, school=SCHOOL, access_token="tok")
    assert web == WebSession(jsessionid="A", hash="b")
    (received,) = server.requests
    assert (received.method, received.target) == ("POST", f"/{SCHOOL}/rest-api/login/session")
    assert received.headers["authorization"] == "Bearer tok"
    assert received.headers["content-type"] == "application/json"
    assert received.body == b""


@pytest.mark.parametrize(
    "response",
    [
        http(status=401),
        http(status=401, Set_Cookie="JSESSIONID=A, hash=b"),
        http(b"{}"),
        http(b"{}", Set_Cookie="JSESSIONID=A, xhash=1"),
        http(status=303, Location="/x?error=other"),
    ],
)
def test_without_cookies_the_token_has_ended(
    client: UpstreamClient, server: RawServer, response: bytes
) -> None:
    server.script = always(response)
    with pytest.raises(SessionDead):
        translate_token(client, school=SCHOOL, access_token="tok")


@pytest.mark.parametrize("token", ["", "a b", "a\r\nHost: evil", "å", "x" * 9000])
def test_an_invalid_token_is_never_sent(
    client: UpstreamClient, server: RawServer, token: str
) -> None:
    with pytest.raises(SessionDead):
        translate_token(client, school=SCHOOL, access_token=token)
    assert server.requests == []


def test_an_illegal_cookie_value_is_invalid(client: UpstreamClient, server: RawServer) -> None:
    server.script = always(http(b"{}", Set_Cookie='JSESSIONID="A", hash=b'))
    with pytest.raises(UpstreamInvalid):
        translate_token(client, school=SCHOOL, access_token="tok")
