"""How strict the login is, in both dialects: what a client does wrong must not go unnoticed."""

from typing import Any

import pytest
import requests

from tests.upstream.simulator.plain_client import CHALLENGE, VERIFIER, PlainClient, cookie_header
from upstream.simulator.server import Simulator

PASSWORD = "/bjorkdalen/rest-api/login/student/password"
TOKEN = "/bjorkdalen/rest-api/login/token"
FIELDS = (
    "username", "password", "code_challenge", "code_challenge_method", "client_id",
    "redirect_uri", "response_type", "state", "orgid",
)  # fmt: skip


def authorize_observed(client: PlainClient, **changes: str) -> requests.Response:
    query = {
        "username": "elsa.nordvall",
        "password": "elsa-demo",
        "state": "abc",
        "client_id": "eApp",
        "redirect_uri": "com.schoolsoftplus.app://",
        "code_challenge": CHALLENGE,
        "code_challenge_method": "S256",
        "lang": "2",
        "orgid": "41",
    }
    return client.get(PASSWORD, params=query | changes)


def bridge(client: PlainClient, token: str, role: str = "student", **ids: str) -> requests.Response:
    path = f"/bjorkdalen/eva-apps/auth/login/{role}"
    return client.get(path, headers={"token": token} | ids)


@pytest.mark.parametrize(
    "change",
    [
        *({name: None} for name in FIELDS),
        {"code_challenge_method": "plain"},
        {"client_id": "vApp"},
        {"redirect_uri": "eapp://login/"},
        {"response_type": "token"},
        {"orgid": "nyvang"},
        {"orgid": "41"},
        {"code_challenge": VERIFIER + "=="},
        {"state": ""},
        {"state": 7},
        {"code_verifier": VERIFIER},
    ],
)
def test_it_refuses_a_missing_wrong_or_additional_field(
    client: PlainClient, change: dict[str, Any]
) -> None:
    answer = client.authorize(**change)
    assert answer.status_code == 400
    assert answer.json()["userMessage"]


@pytest.mark.parametrize(
    ("change", "status"),
    [
        ({}, 200),
        ({"orgid": "bjorkdalen"}, 200),
        ({"password": "wrong"}, 401),
        ({"orgid": "57"}, 400),
        ({"code_challenge_method": "plain"}, 400),
        ({"redirect_uri": "eapp://login"}, 400),
        ({"codeVerifier": VERIFIER}, 400),
    ],
)
def test_the_observed_form_has_everything_in_the_query(
    client: PlainClient, change: dict[str, str], status: int
) -> None:
    assert authorize_observed(client, **change).status_code == status


def test_it_does_not_say_whether_the_name_or_the_password_was_wrong(client: PlainClient) -> None:
    stranger, mistaken = client.authorize("nobody.here"), client.authorize(password="wrong")
    assert stranger.status_code == mistaken.status_code == 401
    assert stranger.content == mistaken.content


def test_a_code_works_once_at_its_school_for_a_minute_with_its_verifier(
    simulator: Simulator, client: PlainClient
) -> None:
    code = client.authorize("alva.lind").json()["code"]
    assert client.exchange(code, school="nyvang").status_code == 404
    assert client.exchange(code, "x" * 43).status_code == 400
    assert client.exchange(code).json()["expires_in"] == 2592000
    assert client.exchange(code).json() == {"userMessage": "Ingen aktiv inloggnings-session"}
    late = client.authorize().json()["code"]
    simulator.state.clock.advance(61)
    assert client.exchange(late).status_code == 404


@pytest.mark.parametrize(
    "change",
    [{"clientId": "vApp"}, {"grantType": "password"}, {"codeVerifier": VERIFIER}, {"code": 7}],
)
def test_the_token_request_is_exact(client: PlainClient, change: dict[str, Any]) -> None:
    code = client.authorize().json()["code"]
    right = {"clientId": "eApp", "grantType": "code", "code": code, "code_verifier": VERIFIER}
    assert client.send("POST", TOKEN, json=right | change).status_code == 400
    assert client.send("POST", TOKEN, json=right).status_code == 200


def test_observed_tokens_last_a_quarter_of_an_hour_and_rotate(
    simulator: Simulator, client: PlainClient
) -> None:
    def request_token(**query: str) -> requests.Response:
        return client.send("POST", TOKEN, params={"clientId": "eApp"} | query)

    code = authorize_observed(client).json()["code"]
    first = request_token(grantType="code", code=code, codeVerifier=VERIFIER).json()
    assert (first["type"], first["expires"]) == ("Bearer", 900)
    refresh = {"grantType": "refresh_token", "refreshToken": first["refresh_token"]}
    assert request_token(**refresh).json()["refresh_token"] != first["refresh_token"]
    assert request_token(**refresh).status_code == 400
    simulator.state.clock.advance(901)
    assert "error=other" in bridge(client, first["access_token"]).headers["Location"]


@pytest.mark.parametrize(
    ("role", "ids"),
    [("student", {"orgid": "57"}), ("student", {"userid": "1"}), ("parent", {}), ("student", None)],
)
def test_the_bridge_refuses_with_a_redirect(
    client: PlainClient, role: str, ids: dict[str, str] | None
) -> None:
    token = "dead" if ids is None else client.log_in()["access_token"]
    answer = bridge(client, token, role, **(ids or {}))
    assert answer.status_code == 303
    assert "error=other" in answer.headers["Location"]
    assert "Set-Cookie" not in answer.headers


def test_the_dialects_count_user_types_differently(client: PlainClient) -> None:
    for username, word, numbers in (("gun.nordvall", "parent", (3, 2)),
                                    ("torbjörn.ekvik", "teacher", (2, 3))):  # fmt: skip
        token = client.log_in(username)["access_token"]
        ids = {} if word == "teacher" else {"userId": "820301", "childInFocus": "730214"}
        sessions = client.translate(token), bridge(client, token, word, **ids)
        types = [client.session(cookie_header(each)).json()["userType"]["id"] for each in sessions]
        assert tuple(types) == numbers
