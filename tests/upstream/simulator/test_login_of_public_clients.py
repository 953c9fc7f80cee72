"""The observed dialect: values in queries, a bridge to the cookies, short tokens that rotate."""

from typing import Any

import pytest
import requests

from tests.upstream.simulator.plain_client import CHALLENGE, VERIFIER, PlainClient, cookie_header
from upstream.simulator.server import Simulator

PASSWORD = "/nyvang/rest-api/login/student/password"
TOKEN = "/nyvang/rest-api/login/token"


def authorize(client: PlainClient, **changes: str) -> requests.Response:
    query = {
        "username": "zoe.åkerman",
        "password": "zoe-demo",
        "state": "abc",
        "client_id": "eApp",
        "redirect_uri": "com.schoolsoftplus.app://",
        "code_challenge": CHALLENGE,
        "code_challenge_method": "S256",
        "lang": "2",
        "orgid": "57",
    }
    return client.get(PASSWORD, params=query | changes)


def request_token(client: PlainClient, **query: str) -> requests.Response:
    if not query:
        code = authorize(client).json()["code"]
        query = {"grantType": "code", "code": code, "codeVerifier": VERIFIER}
    return client.send("POST", TOKEN, params={"clientId": "eApp"} | query)


def bridge(client: PlainClient, token: str, role: str = "student", **ids: str) -> requests.Response:
    return client.get(f"/nyvang/eva-apps/auth/login/{role}", headers={"token": token} | ids)


def test_the_password_goes_in_the_query(client: PlainClient) -> None:
    assert authorize(client).json().keys() == {"code", "state", "redirect_uri"}
    assert authorize(client, orgid="nyvang").status_code == 200


@pytest.mark.parametrize(
    "change",
    [
        {"password": "wrong"},
        {"orgid": "41"},
        {"code_challenge_method": "plain"},
        {"redirect_uri": "eapp://login"},
        {"response_type": "token"},
        {"codeVerifier": VERIFIER},
    ],
)
def test_a_wrong_field_is_refused(client: PlainClient, change: dict[str, str]) -> None:
    assert authorize(client, **change).status_code == (401 if "password" in change else 400)


def test_the_token_is_short_lived_and_comes_with_a_refresh_token(client: PlainClient) -> None:
    answer = request_token(client)
    assert answer.json().keys() == {"access_token", "refresh_token", "type", "expires"}
    assert answer.json()["expires"] == 900


def test_a_refresh_token_works_once_and_gives_another(client: PlainClient) -> None:
    first = request_token(client).json()["refresh_token"]
    answer = request_token(client, grantType="refresh_token", refreshToken=first)
    assert answer.status_code == 200
    assert answer.json()["refresh_token"] != first
    assert request_token(client, grantType="refresh_token", refreshToken=first).status_code == 400


def test_the_bridge_redirects_with_cookies(client: PlainClient) -> None:
    token = request_token(client).json()["access_token"]
    answer = bridge(client, token, orgid="57", userid="730300")
    assert answer.status_code == 303
    assert set(answer.cookies.keys()) <= {"JSESSIONID", "hash", "usertype", "clientType"}
    session = client.session(cookie_header(answer), "nyvang").json()
    assert session["user"]["userName"] == "Zoe.Åkerman"


@pytest.mark.parametrize("ids", [{"orgid": "41"}, {"userid": "730214"}])
def test_the_bridge_refuses_with_a_redirect_too(client: PlainClient, ids: dict[str, str]) -> None:
    token = request_token(client).json()["access_token"]
    for answer in (
        bridge(client, token, **ids),
        bridge(client, "dead"),
        bridge(client, token, "parent"),
    ):
        assert answer.status_code == 303
        assert "error=other" in answer.headers["Location"]
        assert "Set-Cookie" not in answer.headers


def test_the_bridge_counts_user_types_as_public_clients_do(
    simulator: Simulator, client: PlainClient
) -> None:
    seen: dict[str, Any] = {}
    for username, word in (("gun.nordvall", "parent"), ("torbjörn.ekvik", "teacher")):
        token = client.log_in(username)["access_token"]
        path = f"/bjorkdalen/eva-apps/auth/login/{word}"
        cookies = cookie_header(client.get(path, headers={"token": token}))
        seen[word] = client.session(cookies).json()["userType"]["id"]
    assert seen == {"parent": 2, "teacher": 3}


def test_a_token_of_this_dialect_expires_after_a_quarter_of_an_hour(
    simulator: Simulator, client: PlainClient
) -> None:
    token = request_token(client).json()["access_token"]
    simulator.state.clock.advance(901)
    assert "error=other" in bridge(client, token).headers["Location"]
