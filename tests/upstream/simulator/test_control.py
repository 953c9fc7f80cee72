"""The control routes below `/_simulator/`."""

from typing import Any

import pytest

from tests.upstream.simulator.plain_client import PlainClient
from upstream.simulator.server import Simulator


def control(client: PlainClient, what: str, /, **change: Any) -> int:
    return client.send("POST", f"/_simulator/{what}", json=change).status_code


def test_it_lists_people_and_faults(simulator: Simulator, client: PlainClient) -> None:
    client.sign_in()
    simulator.faults.set("session", "slow", seconds=2)
    overview = client.get("/_simulator/").json()
    elsa = overview["people"][0]
    assert (elsa["username"], elsa["password"]) == ("Elsa.Nordvall", "elsa-demo")
    assert elsa["webSessions"] == 1
    assert overview["faults"] == [
        {"operation": "session", "value": "slow", "times": None, "school": None, "seconds": 2}
    ]


def test_it_sets_and_clears_faults(client: PlainClient) -> None:
    cookies = client.sign_in()
    assert control(client, "faults", operation="session", value="500", times=1) == 200
    assert client.session(cookies).status_code == 500
    assert control(client, "faults", operation="session", value="500") == 200
    assert client.send("DELETE", "/_simulator/faults").status_code == 200
    assert client.session(cookies).status_code == 200


def test_it_sets_latency_and_the_clock(simulator: Simulator, client: PlainClient) -> None:
    assert control(client, "faults", latency=0.01) == 200
    assert simulator.faults.latency == 0.01
    cookies = client.sign_in()
    assert control(client, "clock", advance=3601) == 200
    assert client.session(cookies).status_code == 401


def test_it_revokes(client: PlainClient) -> None:
    cookies = client.sign_in()
    who = {"school": "bjorkdalen", "username": "elsa.nordvall"}
    assert control(client, "revoke", **who, what="web_sessions") == 200
    assert client.session(cookies).status_code == 401


def test_it_changes_a_role(client: PlainClient) -> None:
    cookies = client.sign_in()
    who = {"school": "bjorkdalen", "username": "elsa.nordvall"}
    assert control(client, "role", **who, role="teacher") == 200
    assert client.session(cookies).json()["userType"] == {"id": 2, "name": "teacher"}


@pytest.mark.parametrize(
    ("what", "change"),
    [
        ("faults", {"operation": "session", "value": "418"}),
        ("faults", {"operation": "session"}),
        ("faults", {"latency": "slow"}),
        ("clock", {"advance": "1 h"}),
        ("revoke", {"school": "bjorkdalen", "username": "nobody", "what": "tokens"}),
        ("revoke", {"school": "bjorkdalen", "username": "elsa.nordvall", "what": "all"}),
        ("role", {"school": "bjorkdalen", "username": "elsa.nordvall", "role": "admin"}),
        ("role", {"school": "bjorkdalen", "username": "nobody", "role": "teacher"}),
    ],
)
def test_it_refuses_what_it_does_not_understand(
    client: PlainClient, what: str, change: dict[str, Any]
) -> None:
    assert control(client, what, **change) == 400


def test_control_requests_are_not_logged(simulator: Simulator, client: PlainClient) -> None:
    client.get("/_simulator/")
    assert client.get("/_simulator/nothing").status_code == 404
    assert len(simulator.requests) == 0
