"""The specified login: against the simulator, and against invalid responses."""

import json
import traceback
from dataclasses import dataclass, field
from typing import Any

import pytest

from tests.upstream.conftest import SCHOOL, MakeClient
from tests.upstream.raw_server import RawServer, always, http
from upstream import pkce
from upstream.calls import login
from upstream.calls.session import end_session, fetch_session
from upstream.calls.web_sessions import translate_token
from upstream.client import UpstreamClient
from upstream.errors import (
    CredentialsRefused,
    PasswordLoginDisabled,
    SessionDead,
    UpstreamError,
    UpstreamFailing,
    UpstreamInvalid,
    UpstreamNotFound,
    UpstreamThrottled,
)
from upstream.simulator.server import Simulator

PASSWORD = "canary-pass-å"


@dataclass
class Attempt:
    """The arguments of one login."""

    client: UpstreamClient
    pair: pkce.PkcePair = field(default_factory=pkce.make_pair)
    state: str = field(default_factory=pkce.make_state)

    def authorize(self, username: str = "Elsa.Nordvall", **changes: Any) -> str:
        arguments = {
            "school": SCHOOL,
            "username": username,
            "password": PASSWORD,
            "challenge": self.pair.challenge,
            "state": self.state,
        }
        return login.authorize(self.client, **(arguments | changes))


@pytest.fixture
def real(simulator: Simulator, make_client: MakeClient) -> Attempt:
    return Attempt(make_client(simulator.url))


@pytest.fixture
def odd(client: UpstreamClient) -> Attempt:
    return Attempt(client)


# --- The whole login -----------------------------------------------------------------------------


def test_password_to_code_to_token_to_cookies_to_person(
    real: Attempt, simulator: Simulator
) -> None:
    elsa = simulator.state.schools[SCHOOL].people["elsa.nordvall"]
    code = real.authorize(elsa.username, password=elsa.password)
    grant = login.exchange_code(real.client, school=SCHOOL, code=code, verifier=real.pair.verifier)
    assert grant.expires_in == 2592000
    web = translate_token(real.client, school=SCHOOL, access_token=grant.access_token)
    assert web.usertype == "1"
    who = fetch_session(real.client, school=SCHOOL, web=web)
    assert (who.user_id, who.role) == (elsa.user_id, "student")
    end_session(real.client, school=SCHOOL, web=web)
    with pytest.raises(SessionDead):
        fetch_session(real.client, school=SCHOOL, web=web)


# --- The password request ------------------------------------------------------------------------


def test_it_sends_the_nine_specified_fields_once(odd: Attempt, server: RawServer) -> None:
    server.respond({"code": "hVq7Zt", "state": odd.state, "redirect_uri": "eapp://login"})
    assert odd.authorize() == "hVq7Zt"
    (received,) = server.requests
    assert (received.method, received.target) == (
        "POST",
        f"/{SCHOOL}/rest-api/login/student/password",
    )
    assert received.headers["content-type"] == "application/json"
    assert json.loads(received.body) == {
        "username": "Elsa.Nordvall",
        "password": PASSWORD,
        "code_challenge": odd.pair.challenge,
        "code_challenge_method": "S256",
        "client_id": "eApp",
        "redirect_uri": "eapp://login",
        "response_type": "code",
        "state": odd.state,
        "orgid": SCHOOL,
    }


def test_a_given_orgid_is_sent_unchanged(odd: Attempt, server: RawServer) -> None:
    server.respond({"code": "c", "state": odd.state, "redirect_uri": "eapp://login"})
    odd.authorize(orgid="41")
    assert json.loads(server.requests[0].body)["orgid"] == "41"


@pytest.mark.parametrize(
    "change",
    [
        {"state": None}, {"state": ""}, {"state": "0" * 32}, {"state": 7}, {"state": ["x"]},
        {"state": "å"}, {"redirect_uri": None}, {"redirect_uri": "eapp://login/"},
        {"redirect_uri": "https://evil.example"}, {"redirect_uri": {}}, {"code": None},
        {"code": ""}, {"code": 7}, {"code": "a b"}, {"code": "a\n"}, {"code": "x" * 9000},
    ],
)  # fmt: skip
def test_an_invalid_code_state_or_redirect_uri_is_rejected(
    odd: Attempt, server: RawServer, change: dict[str, object]
) -> None:
    whole = {"code": "c", "state": odd.state, "redirect_uri": "eapp://login"}
    server.respond(whole | change)
    with pytest.raises(UpstreamInvalid):
        odd.authorize()
    assert len(server.requests) == 1


@pytest.mark.parametrize("missing", ["code", "state", "redirect_uri"])
def test_a_response_without_code_state_or_redirect_uri_is_rejected(
    odd: Attempt, server: RawServer, missing: str
) -> None:
    whole = {"code": "c", "state": odd.state, "redirect_uri": "eapp://login"}
    del whole[missing]
    server.respond(whole)
    with pytest.raises(UpstreamInvalid):
        odd.authorize()


@pytest.mark.parametrize(
    "response",
    [
        http(b""), http(b"[]"), http(b"null"), http(b"{"), http(b"<html>", kind="text/html"),
        http(b'<form name="sspassword">', kind="text/html"), http(status=204),
        http(status=302, Location="/jsp/Login.jsp"), http(status=400), http(status=418),
    ],
)  # fmt: skip
def test_an_unexpected_login_response_is_invalid(
    odd: Attempt, server: RawServer, response: bytes
) -> None:
    server.script = always(response)
    with pytest.raises(UpstreamInvalid):
        odd.authorize()


@pytest.mark.parametrize(
    ("status", "message", "error"),
    [
        (401, None, CredentialsRefused),
        (401, "Felaktigt användarnamn eller lösenord.", CredentialsRefused),
        (400, "Vi kunde inte hitta användaren", CredentialsRefused),
        (403, "Vi kunde inte hitta användaren", CredentialsRefused),
        (403, None, PasswordLoginDisabled),
        (403, "Skolan använder SAML", PasswordLoginDisabled),
        (401, "Logga in med BankID", PasswordLoginDisabled),
        (400, "Okänt fel", UpstreamInvalid),
        (404, None, UpstreamNotFound),
        (429, None, UpstreamThrottled),
        (500, None, UpstreamFailing),
    ],
)
def test_each_refusal_has_its_own_error(
    odd: Attempt, server: RawServer, status: int, message: str | None, error: type[Exception]
) -> None:
    server.respond({"userMessage": message}, status)
    with pytest.raises(error):
        odd.authorize()
    assert len(server.requests) == 1


def test_no_frame_of_a_failed_login_holds_the_password(odd: Attempt, server: RawServer) -> None:
    server.script = always(b"")
    with pytest.raises(UpstreamError) as caught:
        odd.authorize()
    assert caught.value.__context__ is None
    assert caught.value.__cause__ is None
    # The frames of this file do hold it.
    frames = [frame for frame, _ in traceback.walk_tb(caught.tb) if "/tests/" not in str(frame)]
    assert len(frames) > 2
    for frame in frames:
        assert PASSWORD not in repr(frame.f_locals)
