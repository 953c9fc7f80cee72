"""Knobs: names and positions are checked, in tests and over HTTP."""

from typing import Any

import pytest

from tests.upstream.simulator.visitor import Visitor
from upstream.simulator.knobs import Knobs
from upstream.simulator.server import Simulator


def turn(visitor: Visitor, **knobs: Any) -> int:
    return visitor.send("POST", "/_simulator/knobs", json=knobs).status_code


def test_a_knob_is_turned_over_http_and_back(simulator: Simulator, visitor: Visitor) -> None:
    assert turn(visitor, class_page="D", rooms=20, refresh_tokens=True) == 200
    assert simulator.state.knobs.class_page == "D"
    overview = visitor.get("/_simulator/").json()
    assert overview["knobs"] == {"class_page": "D", "rooms": 20, "refresh_tokens": True}
    assert "302-saml" in overview["positions"]["jsp_expired"]
    assert overview["positions"]["rooms"] == 12
    assert visitor.send("DELETE", "/_simulator/knobs").json() == {"knobs": {}}
    assert simulator.state.knobs == Knobs()


@pytest.mark.parametrize(
    "wish",
    [
        {"clas_page": "D"},
        {"class_page": "E"},
        {"rooms": "20"},
        {"rooms": True},
        {"strict_hash": 1},
        {"broken_room": "first"},
        {"turn": 1},
    ],
)
def test_a_knob_that_does_not_exist_turns_nothing(
    simulator: Simulator, visitor: Visitor, wish: dict[str, Any]
) -> None:
    assert turn(visitor, lunch="none", **wish) == 400
    assert simulator.state.knobs == Knobs()
    with pytest.raises(ValueError):
        for name, position in wish.items():
            simulator.state.knobs.turn(name, position)


def test_every_position_is_taken(simulator: Simulator) -> None:
    knobs = simulator.state.knobs
    for name, positions in Knobs.positions().items():
        for position in positions if isinstance(positions, list) else [positions]:
            knobs.turn(name, position)
    knobs.turn("session_seconds", 60)
    knobs.turn("broken_room", 3)
    assert knobs.turned()["broken_room"] == 3


def test_the_child_in_focus_is_turned_over_http(simulator: Simulator, visitor: Visitor) -> None:
    guardian = visitor.sign_in("gun.nordvall")
    wish = {"school": "bjorkdalen", "username": "gun.nordvall", "child": "bo.ek"}
    assert visitor.send("POST", "/_simulator/focus", json=wish).json() == {"focus": "bo.ek"}
    header = visitor.open(guardian, "/rest-api/parent/header/parent").json()
    assert header["childInFocus"]["name"] == "Bo Ek"
    for wrong in (wish | {"child": "nobody"}, {"school": "bjorkdalen"}, wish | {"school": "x"}):
        assert visitor.send("POST", "/_simulator/focus", json=wrong).status_code == 400
