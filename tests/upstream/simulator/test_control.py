"""The control routes below `/_simulator/`, for trying things out with the demo."""

from typing import Any

import pytest

from tests.upstream.simulator.plain_client import PlainClient
from upstream.simulator.server import Simulator
from upstream.simulator.settings import SimulatorSettings


def control(client: PlainClient, what: str, /, **change: Any) -> int:
    return client.send("POST", f"/_simulator/{what}", json=change).status_code


def test_it_shows_people_faults_and_settings(client: PlainClient) -> None:
    cookies = client.sign_in()
    assert control(client, "faults", operation="session", value="500", times=1) == 200
    assert control(client, "settings", class_page="D", rooms=20) == 200
    overview = client.get("/_simulator/").json()
    elsa = overview["people"][0]
    assert (elsa["username"], elsa["password"]) == ("Elsa.Nordvall", "elsa-demo")
    assert elsa["webSessions"] == 1
    assert overview["faults"] == [
        {"operation": "session", "value": "500", "times": 1, "school": None}
    ]
    assert overview["settings"] == {"class_page": "D", "rooms": 20}
    assert "hidden" in overview["choices"]["class_page"]
    assert client.session(cookies).status_code == 500


def test_it_takes_back_faults_and_settings(simulator: Simulator, client: PlainClient) -> None:
    control(client, "faults", operation="session", value="500")
    control(client, "settings", class_page="D")
    for what in ("faults", "settings"):
        assert client.send("DELETE", f"/_simulator/{what}").status_code == 200
    assert client.session("").status_code == 401
    assert simulator.state.settings == SimulatorSettings()


def test_it_sets_latency_and_the_clock(simulator: Simulator, client: PlainClient) -> None:
    assert control(client, "faults", latency=0.01) == 200
    assert simulator.faults.latency == 0.01
    cookies = client.sign_in()
    assert control(client, "clock", advance=3601) == 200
    assert client.session(cookies).status_code == 401


def test_it_changes_a_lesson(simulator: Simulator, client: PlainClient) -> None:
    day = simulator.state.clock.today()
    who = {"school": "bjorkdalen", "username": "elsa.nordvall", "date": str(day)}
    assert control(client, "schedule", **who, kind="added", start="07:00", value="Extra") == 200
    lessons = client.lessons(client.sign_in(), day.isocalendar().week).json()
    assert "Extra" in [lesson["name"] for lesson in lessons]


@pytest.mark.parametrize(
    ("what", "change"),
    [
        ("faults", {"operation": "session", "value": "418"}),
        ("faults", {"operation": "session"}),
        ("faults", {"latency": "slow"}),
        ("settings", {"lunch": "none", "clas_page": "D"}),
        ("settings", {"lunch": "none", "class_page": "E"}),
        ("clock", {"advance": "1 h"}),
        ("schedule", {"school": "bjorkdalen", "username": "nobody", "kind": "room"}),
    ],
)
def test_it_refuses_what_it_does_not_understand(
    simulator: Simulator, client: PlainClient, what: str, change: dict[str, Any]
) -> None:
    assert control(client, what, **change) == 400
    assert simulator.state.settings == SimulatorSettings()


def test_control_requests_are_not_logged(simulator: Simulator, client: PlainClient) -> None:
    client.get("/_simulator/")
    assert client.get("/_simulator/nothing").status_code == 404
    assert len(simulator.requests) == 0
