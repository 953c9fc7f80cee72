"""`/_simulator/`, for a person who plays with the demo."""

from typing import Any

import pytest

from tests.upstream.simulator.visitor import Visitor
from upstream.simulator.server import Simulator


def tell(visitor: Visitor, what: str, /, **wish: Any) -> int:
    return visitor.send("POST", f"/_simulator/{what}", json=wish).status_code


def test_it_lists_people_and_faults(simulator: Simulator, visitor: Visitor) -> None:
    visitor.sign_in()
    simulator.faults.set("session", "slow", seconds=2)
    overview = visitor.get("/_simulator/").json()
    elsa = overview["people"][0]
    assert (elsa["username"], elsa["password"]) == ("Elsa.Nordvall", "elsa-demo")
    assert elsa["webSessions"] == 1
    assert overview["faults"] == [
        {"operation": "session", "value": "slow", "times": None, "school": None, "seconds": 2}
    ]


def test_it_sets_and_clears_faults(visitor: Visitor) -> None:
    cookies = visitor.sign_in()
    assert tell(visitor, "faults", operation="session", value="500", times=1) == 200
    assert visitor.session(cookies).status_code == 500
    assert tell(visitor, "faults", operation="session", value="500") == 200
    assert visitor.send("DELETE", "/_simulator/faults").status_code == 200
    assert visitor.session(cookies).status_code == 200


def test_it_sets_latency_and_the_clock(simulator: Simulator, visitor: Visitor) -> None:
    assert tell(visitor, "faults", latency=0.01) == 200
    assert simulator.faults.latency == 0.01
    cookies = visitor.sign_in()
    assert tell(visitor, "clock", advance=3601) == 200
    assert visitor.session(cookies).status_code == 401


def test_it_revokes(visitor: Visitor) -> None:
    cookies = visitor.sign_in()
    who = {"school": "bjorkdalen", "username": "elsa.nordvall"}
    assert tell(visitor, "revoke", **who, what="web_sessions") == 200
    assert visitor.session(cookies).status_code == 401


@pytest.mark.parametrize(
    ("what", "wish"),
    [
        ("faults", {"operation": "session", "value": "418"}),
        ("faults", {"operation": "session"}),
        ("faults", {"latency": "slow"}),
        ("clock", {"advance": "1 h"}),
        ("revoke", {"school": "bjorkdalen", "username": "nobody", "what": "tokens"}),
        ("revoke", {"school": "bjorkdalen", "username": "elsa.nordvall", "what": "all"}),
    ],
)
def test_it_refuses_what_it_does_not_understand(
    visitor: Visitor, what: str, wish: dict[str, Any]
) -> None:
    assert tell(visitor, what, **wish) == 400


def test_it_is_not_counted_among_the_calls(simulator: Simulator, visitor: Visitor) -> None:
    visitor.get("/_simulator/")
    assert visitor.get("/_simulator/nothing").status_code == 404
    assert len(simulator.requests) == 0
