"""The specified login: an authorization request, then a token request."""

from typing import Any

import pytest

from tests.upstream.simulator.plain_client import CHALLENGE, VERIFIER, PlainClient
from upstream.simulator.server import Simulator


def test_it_gives_a_code_and_echoes_state_and_redirect(client: PlainClient) -> None:
    answer = client.authorize(state="abc")
    assert answer.status_code == 200
    assert answer.json().keys() == {"code", "state", "redirect_uri"}
    assert answer.json()["state"] == "abc"
    assert answer.json()["redirect_uri"] == "eapp://login"


def test_it_gives_a_token_of_thirty_days_for_the_code_of_the_rfc(client: PlainClient) -> None:
    code = client.authorize(code_challenge=CHALLENGE).json()["code"]
    answer = client.exchange(code, VERIFIER)
    assert answer.status_code == 200
    assert answer.json().keys() == {"access_token", "token_type", "expires_in"}
    assert answer.json()["token_type"] == "Bearer"
    assert answer.json()["expires_in"] == 2592000


@pytest.mark.parametrize(
    "change",
    [
        {"code_challenge_method": "plain"},
        {"code_challenge_method": "s256"},
        {"client_id": "vApp"},
        {"redirect_uri": "eapp://login/"},
        {"redirect_uri": "https://elsewhere.example/"},
        {"response_type": "token"},
        {"orgid": "nyvang"},
        {"orgid": "41"},
        {"code_challenge": VERIFIER + "=="},
        {"code_challenge": ""},
        {"state": ""},
        {"state": 7},
        {"code_verifier": VERIFIER},
    ],
)
def test_it_refuses_a_wrong_or_additional_field(
    client: PlainClient, change: dict[str, Any]
) -> None:
    answer = client.authorize(**change)
    assert answer.status_code == 400
    assert answer.json()["userMessage"]


@pytest.mark.parametrize(
    "field",
    [
        "username",
        "password",
        "code_challenge",
        "code_challenge_method",
        "client_id",
        "redirect_uri",
        "response_type",
        "state",
        "orgid",
    ],
)
def test_it_requires_all_nine_fields(client: PlainClient, field: str) -> None:
    assert client.authorize(**dict.fromkeys([field])).status_code == 400


def test_it_requires_json(client: PlainClient) -> None:
    path = "/bjorkdalen/rest-api/login/student/password"
    assert client.send("POST", path, data={"username": "elsa.nordvall"}).status_code == 400
    assert client.send("POST", path, json=["username"]).status_code == 400


def test_it_does_not_say_whether_the_name_or_the_password_was_wrong(client: PlainClient) -> None:
    stranger = client.authorize("nobody.here")
    mistaken = client.authorize(password="wrong")
    assert stranger.status_code == mistaken.status_code == 401
    assert stranger.content == mistaken.content


def test_it_takes_names_in_any_case_and_with_any_letter(client: PlainClient) -> None:
    assert client.authorize("ELSA.Nordvall", password="elsa-demo").status_code == 200
    assert client.authorize("ömer.sjölin").status_code == 200
    assert client.authorize("zoe.åkerman", "nyvang").status_code == 200


def test_it_takes_no_password_at_a_school_that_signs_in_elsewhere(client: PlainClient) -> None:
    assert client.authorize("tove.gran", "granskolan").status_code == 403


def test_it_answers_an_unknown_school_with_a_page(client: PlainClient) -> None:
    answer = client.authorize("elsa.nordvall", "atlantis")
    assert answer.status_code == 404
    assert answer.headers["Content-Type"].startswith("text/html")


def test_a_wrong_verifier_gives_no_token_and_leaves_the_code(client: PlainClient) -> None:
    code = client.authorize().json()["code"]
    wrong = client.exchange(code, "x" * 43)
    assert wrong.status_code == 400
    assert "access_token" not in wrong.json()
    assert client.exchange(code).status_code == 200


def test_a_code_works_once(client: PlainClient) -> None:
    code = client.authorize().json()["code"]
    assert client.exchange(code).status_code == 200
    again = client.exchange(code)
    assert again.status_code == 404
    assert again.json() == {"userMessage": "Ingen aktiv inloggnings-session"}


def test_a_code_lives_for_a_minute(simulator: Simulator, client: PlainClient) -> None:
    code = client.authorize().json()["code"]
    simulator.state.clock.advance(59)
    assert client.exchange(code, "x" * 43).status_code == 400
    simulator.state.clock.advance(2)
    assert client.exchange(code).status_code == 404


def test_a_code_belongs_to_its_school(client: PlainClient) -> None:
    code = client.authorize("alva.lind").json()["code"]
    assert client.exchange(code, school="nyvang").status_code == 404
    assert client.exchange(code).status_code == 200


@pytest.mark.parametrize(
    "change",
    [{"clientId": "vApp"}, {"grantType": "password"}, {"codeVerifier": VERIFIER}, {"code": 7}],
)
def test_the_token_request_is_exact(client: PlainClient, change: dict[str, Any]) -> None:
    code = client.authorize().json()["code"]
    right = {"clientId": "eApp", "grantType": "code", "code": code, "code_verifier": VERIFIER}
    path = "/bjorkdalen/rest-api/login/token"
    assert client.send("POST", path, json=right | change).status_code == 400
    assert client.send("POST", path, json=right).status_code == 200
