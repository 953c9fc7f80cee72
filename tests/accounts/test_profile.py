"""GET and PUT /api/profile: fields and their validation."""

from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.models import Account
from tests.conftest import Caller
from upstream.simulator.server import Simulator

PROFILE = "/api/profile"
ADDRESS_OF_NOBODY = "https://school.example/media/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa.webp"


def own(caller: Caller) -> dict[str, Any]:
    answer = caller.get(PROFILE)
    assert answer.status_code == 200
    found: dict[str, Any] = answer.json()["profile"]
    return found


def put(caller: Caller, **fields: Any) -> Any:
    return caller.http.put(PROFILE, fields, content_type="application/json")


def saved(caller: Caller, **fields: Any) -> dict[str, Any]:
    """Change the profile, check that a read shows the same, and return it."""
    answer = put(caller, **fields)
    assert answer.status_code == 200, answer.content
    assert answer.json() == {"success": True, "profile": own(caller)}
    return own(caller)


def test_a_new_profile_has_the_data_from_upstream(elsa: Caller) -> None:
    profile = own(elsa)
    joined = profile.pop("joinedAt")
    assert isinstance(joined, int)
    assert profile.pop("updatedAt") >= joined
    assert profile == {
        "username": "elsa.nordvall",
        "realName": None,
        "firstName": "Elsa",
        "lastName": "Nordvall",
        "email": "elsa.nordvall@bjorkdalen.example",
        "schoolName": "Björkdalsskolan",
        "userType": "student",
        "displayName": "Elsa Nordvall",
        "dmPrivacy": "everyone",
        "discoverable": True,
        "warnings": [],
        **dict.fromkeys(("bio", "pronouns", "location", "website", "accentColor"), ""),
        **dict.fromkeys(("github", "twitter", "instagram", "linkedin"), ""),
        **dict.fromkeys(("pfpUrl", "coverUrl"), ""),
    }


EVERYTHING: dict[str, Any] = {
    "displayName": "Ellie 👩‍🌾❤️",
    "bio": "Första raden\nandra raden",
    "pronouns": "hon/henne",
    "location": "Umeå",
    "website": "https://elsa.example/sida?a=1#här",
    "accentColor": "#0aF9c2",
    "github": "elsa-n",
    "twitter": "@elsa",
    "instagram": "https://instagram.com/elsa",
    "linkedin": "https://www.linkedin.com/in/elsa",
    "dmPrivacy": "friends",
    "discoverable": False,
}


def test_every_own_field_can_be_set(elsa: Caller) -> None:
    before = own(elsa)
    after = saved(elsa, **EVERYTHING)
    changed = {"updatedAt": after["updatedAt"], "realName": "Elsa Nordvall"}
    assert after == before | EVERYTHING | changed
    assert after["updatedAt"] > before["updatedAt"]


def test_omitted_fields_do_not_change(elsa: Caller) -> None:
    saved(elsa, **EVERYTHING)
    after = saved(elsa, bio="")
    assert after["bio"] == ""
    assert after["pronouns"] == "hon/henne"
    assert own(elsa) == saved(elsa)  # without fields nothing changes, not even updatedAt


def test_a_change_affects_only_ones_own_profile(elsa: Caller, zoe: Caller) -> None:
    saved(elsa, bio="Elsas")
    assert own(zoe)["bio"] == ""
    assert own(zoe)["username"] == "zoe.åkerman"


def test_read_only_fields_are_ignored(elsa: Caller) -> None:
    before = own(elsa)
    assert saved(elsa, username="x", firstName="X", email="x@y.example", userType="teacher",
                 schoolName="X", joinedAt=1, updatedAt=1, colour="red") == before  # fmt: skip


LENGTHS = {"displayName": 80, "bio": 500, "pronouns": 40, "location": 80, "github": 100,
           "twitter": 100, "instagram": 100, "linkedin": 200}  # fmt: skip


def test_a_length_counts_code_points_and_is_never_truncated(elsa: Caller) -> None:
    longest = {name: "ö" * (most - 1) + "🌻" for name, most in LENGTHS.items()}
    longest["website"] = "https://elsa.example/" + "x" * 179
    for name, text in longest.items():
        assert saved(elsa, **{name: f" {text} "})[name] == text
        answer = put(elsa, **{name: f"{text}x"})
        assert (answer.status_code, list(answer.json()["fields"])) == (400, [name])
        assert own(elsa)[name] == text


WRONG_TEXTS: dict[str, list[Any]] = {
    "displayName": [
        "two\nlines", "bell\x07", "\u202eollE", "El\u200bsa", "El\u200dsa", "Elsa\u200f",
        "Elsa \U000e0041", "\u3164", "\u2800", "\u0301\u0301",
    ],
    "pronouns": ["h\u2060on"],
    "location": ["\u061cUmeå"],
    "website": [
        "https://el\u200bsa.example", "elsa.example", "javascript:alert(1)", "ftp://elsa.example",
        "https://", "https://bank.example@evil.example", "https://elsa.example/a b",
        'https://elsa.example/"onmouseover="x', "https://elsa.example/\u202e",
    ],
    "github": ["el\u00adsa", "data:text/html,x"],
    "bio": ["null \x01"],
    "linkedin": ["javascript:alert(1)"],
    "accentColor": ["red", "#fff", "#12345g", "#1234567"],
    "dmPrivacy": ["Everyone", ""],
    "discoverable": ["true", 1],
    "pfpUrl": ["https://elsewhere.example/me.png", ADDRESS_OF_NOBODY],
    "coverUrl": [ADDRESS_OF_NOBODY, "/media/" + "a" * 500 + ".webp"],
}  # fmt: skip
WRONG: list[tuple[str, Any]] = [
    *[(name, value) for name in EVERYTHING for value in (7, None, ["x"], {"x": 1})],
    *[(name, True) for name in EVERYTHING if name != "discoverable"],
    *[(name, value) for name, values in WRONG_TEXTS.items() for value in values],
]


def test_an_invalid_field_is_named_and_nothing_is_saved(elsa: Caller, simulator: Simulator) -> None:
    before = own(elsa)
    for name, value in WRONG:
        answer = put(elsa, **{"location": "Umeå", name: value})
        assert (answer.status_code, answer.json()["code"]) == (400, "invalid_input"), (name, value)
        assert list(answer.json()["fields"]) == [name]
    assert own(elsa) == before


@pytest.mark.parametrize("text", ["nul \\u0000", "half \\ud83d"])
def test_text_that_the_database_cannot_store_is_refused(elsa: Caller, text: str) -> None:
    body = b'{"bio": "%s"}' % text.encode()
    assert elsa.http.put(PROFILE, body, content_type="application/json").status_code == 400


def test_a_megabyte_of_nonsense_is_413(elsa: Caller) -> None:
    body = b'{"bio": "' + b"x" * 1024 * 1024 + b'"}'
    assert elsa.http.put(PROFILE, body, content_type="application/json").status_code == 413


def test_an_erased_account_is_signed_out(elsa: Caller) -> None:
    assert elsa.get(PROFILE).status_code == 200
    Account.objects.get().delete()
    assert elsa.get(PROFILE).status_code == 401
    assert put(elsa, bio="x").status_code == 401


def test_a_read_is_two_queries(elsa: Caller) -> None:
    own(elsa)
    with CaptureQueriesContext(connection) as queries:
        own(elsa)
    assert len(queries) == 2  # the profile, and the warnings


def test_the_answer_is_not_cacheable(elsa: Caller) -> None:
    assert elsa.get(PROFILE).headers["Cache-Control"] == "no-store"
