"""/api/notifications/settings."""

from typing import Any
from uuid import uuid4

import pytest

from tests.conftest import Caller
from tests.notifications.actions import SETTINGS

PUSHED = "message reply invite friend schedule result account"
LISTED = "assignment news inbox report test"
DEFAULTS: dict[str, Any] = {
    "kinds": dict.fromkeys(PUSHED.split(), "push") | dict.fromkeys(LISTED.split(), "list"),
    "quietHours": {"from": "21:00", "to": "07:00"},
    "preview": False,
    "language": "en",
    "muted": [],
    "watch": False,
}


def settings_of(caller: Caller) -> dict[str, Any]:
    body = caller.get(SETTINGS).json()
    assert set(body) == {"success", "settings"}
    found: dict[str, Any] = body["settings"]
    return found


def test_at_first_what_concerns_oneself_is_pushed_and_the_rest_listed(elsa: Caller) -> None:
    assert settings_of(elsa) == DEFAULTS


def test_a_change_keeps_what_it_does_not_name(elsa: Caller) -> None:
    conversation = uuid4().hex
    changes: list[dict[str, Any]] = [
        {"kinds": {"message": "push"}},
        {"kinds": {"news": "off"}, "preview": True},
        {"quietHours": None, "muted": [conversation, conversation]},
        {"language": "sv"},
        {"watch": True},
        {},
    ]
    for change in changes:
        answer = elsa.patch(SETTINGS, change)
        assert answer.status_code == 200, answer.content
    assert answer.json()["settings"] == settings_of(elsa)
    assert settings_of(elsa) == {
        "kinds": DEFAULTS["kinds"] | {"message": "push", "news": "off"},
        "quietHours": None,
        "preview": True,
        "language": "sv",
        "muted": [conversation],
        "watch": True,
    }
    elsa.patch(SETTINGS, {"quietHours": {"from": "22:30", "to": "06:15"}, "muted": []})
    assert settings_of(elsa)["quietHours"] == {"from": "22:30", "to": "06:15"}
    assert settings_of(elsa)["muted"] == []


@pytest.mark.parametrize(
    "change",
    [
        {"kinds": {"message": "loud"}},
        {"kinds": {"message": None}},
        {"kinds": "push"},
        {"kinds": ["push"]},
        {"quietHours": {"from": "21:00"}},
        {"quietHours": {"from": "24:00", "to": "07:00"}},
        {"quietHours": {"from": "9:00", "to": "07:00"}},
        {"quietHours": {"from": 21, "to": 7}},
        {"quietHours": {"from": "21:00", "to": "21:00"}},
        {"quietHours": "21-07"},
        {"preview": "yes"},
        {"preview": None},
        {"language": "de"},
        {"muted": ["x"]},
        {"muted": "x"},
        {"muted": [uuid4().hex for _ in range(501)]},
        {"watch": 1},
    ],
)
def test_a_wrong_value_is_refused_and_changes_nothing(elsa: Caller, change: dict[str, Any]) -> None:
    answer = elsa.patch(SETTINGS, {"preview": True} | change)
    assert answer.status_code == 400
    assert {name.partition(".")[0] for name in answer.json()["fields"]} == set(change)
    assert settings_of(elsa) == DEFAULTS


def test_unknown_kinds_are_ignored(elsa: Caller) -> None:
    assert elsa.patch(SETTINGS, {"kinds": {"weather": "push"}}).status_code == 200
    assert settings_of(elsa) == DEFAULTS


def test_settings_are_those_of_the_account(elsa: Caller, bo: Caller) -> None:
    elsa.patch(SETTINGS, {"kinds": {"message": "off"}})
    assert settings_of(bo)["kinds"]["message"] == "push"
    again = Caller()
    again.sign_in()
    assert settings_of(again)["kinds"]["message"] == "off"


def test_the_language_of_the_first_change_is_kept(elsa: Caller) -> None:
    elsa.http.patch(
        SETTINGS, "{}", content_type="application/json", headers={"Accept-Language": "sv"}
    )
    assert settings_of(elsa)["language"] == "sv"
