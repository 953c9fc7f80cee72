"""Settings: names and values are checked, in tests and over HTTP."""

from typing import Any

import pytest

from tests.upstream.simulator.plain_client import PlainClient
from upstream.simulator.server import Simulator
from upstream.simulator.settings import SimulatorSettings


def set_settings(client: PlainClient, **settings: Any) -> int:
    return client.send("POST", "/_simulator/settings", json=settings).status_code


def test_settings_are_changed_and_reset_over_http(
    simulator: Simulator, client: PlainClient
) -> None:
    assert set_settings(client, class_page="D", rooms=20, refresh_tokens=True) == 200
    assert simulator.state.settings.class_page == "D"
    overview = client.get("/_simulator/").json()
    assert overview["settings"] == {"class_page": "D", "rooms": 20, "refresh_tokens": True}
    assert "302-saml" in overview["choices"]["jsp_expired"]
    assert overview["choices"]["rooms"] == 12
    assert client.send("DELETE", "/_simulator/settings").json() == {"settings": {}}
    assert simulator.state.settings == SimulatorSettings()


@pytest.mark.parametrize(
    "change",
    [
        {"clas_page": "D"},
        {"class_page": "E"},
        {"rooms": "20"},
        {"rooms": True},
        {"strict_hash": 1},
        {"broken_room": "first"},
        {"set": 1},
    ],
)
def test_an_invalid_setting_changes_nothing(
    simulator: Simulator, client: PlainClient, change: dict[str, Any]
) -> None:
    assert set_settings(client, lunch="none", **change) == 400
    assert simulator.state.settings == SimulatorSettings()
    with pytest.raises(ValueError):
        for name, value in change.items():
            simulator.state.settings.set(name, value)


def test_every_choice_is_accepted(simulator: Simulator) -> None:
    settings = simulator.state.settings
    for name, choices in SimulatorSettings.choices().items():
        for value in choices if isinstance(choices, list) else [choices]:
            settings.set(name, value)
    settings.set("session_seconds", 60)
    settings.set("broken_room", 3)
    assert settings.changed()["broken_room"] == 3


def test_the_child_in_focus_is_changed_over_http(simulator: Simulator, client: PlainClient) -> None:
    guardian = client.sign_in("gun.nordvall")
    change = {"school": "bjorkdalen", "username": "gun.nordvall", "child": "bo.ek"}
    assert client.send("POST", "/_simulator/focus", json=change).json() == {"focus": "bo.ek"}
    header = client.open(guardian, "/rest-api/parent/header/parent").json()
    assert header["currentChildId"] == 730217
    for wrong in (change | {"child": "nobody"}, {"school": "bjorkdalen"}, change | {"school": "x"}):
        assert client.send("POST", "/_simulator/focus", json=wrong).status_code == 400
