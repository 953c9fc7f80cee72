"""GET and PUT /api/profile: what a person sets, and what may stand in it."""

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
    """The profile after a change, which must be good, and is what a read shows too."""
    answer = put(caller, **fields)
    assert answer.status_code == 200, answer.content
    assert answer.json() == {"success": True, "profile": own(caller)}
    return own(caller)


def test_a_new_one_holds_what_the_school_tells(elsa: Caller) -> None:
    profile = own(elsa)
    joined = profile.pop("joinedAt")
    assert isinstance(joined, int)
    assert profile.pop("updatedAt") >= joined
    assert profile == {
        "username": "elsa.nordvall",
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
    "displayName": "Ellie 🌻",
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


def test_everything_that_is_ones_own_can_be_set(elsa: Caller) -> None:
    before = own(elsa)
    after = saved(elsa, **EVERYTHING)
    assert after == before | EVERYTHING | {"updatedAt": after["updatedAt"]}
    assert after["updatedAt"] > before["updatedAt"]


def test_what_is_left_out_stays(elsa: Caller) -> None:
    saved(elsa, **EVERYTHING)
    after = saved(elsa, bio="")
    assert after["bio"] == ""
    assert after["pronouns"] == "hon/henne"
    assert own(elsa) == saved(elsa)  # nothing sent, nothing changed, not even the time


def test_it_is_ones_own_and_no_other(elsa: Caller, zoe: Caller) -> None:
    saved(elsa, bio="Elsas")
    assert own(zoe)["bio"] == ""
    assert own(zoe)["username"] == "zoe.åkerman"


def test_what_is_not_ones_own_to_say_is_ignored(elsa: Caller) -> None:
    before = own(elsa)
    assert saved(elsa, username="x", firstName="X", email="x@y.example", userType="teacher",
                 schoolName="X", joinedAt=1, updatedAt=1, colour="red") == before  # fmt: skip


LENGTHS = {"displayName": 80, "bio": 500, "pronouns": 40, "location": 80, "github": 100,
           "twitter": 100, "instagram": 100, "linkedin": 200}  # fmt: skip


@pytest.mark.parametrize("name", LENGTHS)
def test_a_length_counts_code_points_and_is_never_cut(elsa: Caller, name: str) -> None:
    longest = "ö" * (LENGTHS[name] - 1) + "🌻"
    assert saved(elsa, **{name: f" {longest} "})[name] == longest
    answer = put(elsa, **{name: f"{longest}x"})
    assert (answer.status_code, list(answer.json()["fields"])) == (400, [name])
    assert own(elsa)[name] == longest


def test_a_website_is_at_most_200_long(elsa: Caller) -> None:
    longest = "https://elsa.example/" + "x" * 179
    assert saved(elsa, website=longest)["website"] == longest
    assert put(elsa, website=f"{longest}x").status_code == 400


WRONG: list[tuple[str, Any]] = [
    *[(name, value) for name in EVERYTHING for value in (7, None, ["x"], {"x": 1})],
    *[(name, True) for name in EVERYTHING if name != "discoverable"],
    ("displayName", "two\nlines"),
    ("displayName", "bell\x07"),
    ("displayName", "\u202eollE"),
    ("bio", "null \x01"),
    ("website", "elsa.example"),
    ("website", "javascript:alert(1)"),
    ("website", "ftp://elsa.example"),
    ("website", "https://"),
    ("website", "https://bank.example@evil.example"),
    ("website", "https://elsa.example/a b"),
    ("website", 'https://elsa.example/"onmouseover="x'),
    ("website", "https://elsa.example/\u202e"),
    ("linkedin", "javascript:alert(1)"),
    ("github", "data:text/html,x"),
    ("accentColor", "red"),
    ("accentColor", "#fff"),
    ("accentColor", "#12345g"),
    ("accentColor", "#1234567"),
    ("dmPrivacy", "Everyone"),
    ("dmPrivacy", ""),
    ("discoverable", "true"),
    ("discoverable", 1),
    ("pfpUrl", "https://elsewhere.example/me.png"),
    ("pfpUrl", ADDRESS_OF_NOBODY),
    ("coverUrl", ADDRESS_OF_NOBODY),
    ("coverUrl", "/media/" + "a" * 500 + ".webp"),
]


def test_what_is_wrong_is_refused_whole_and_named(elsa: Caller, simulator: Simulator) -> None:
    before = own(elsa)
    for name, value in WRONG:
        answer = put(elsa, **{"location": "Umeå", name: value})
        assert (answer.status_code, answer.json()["code"]) == (400, "invalid_input"), (name, value)
        assert list(answer.json()["fields"]) == [name]
    assert own(elsa) == before


@pytest.mark.parametrize("text", ["nul \\u0000", "half \\ud83d"])
def test_text_that_no_store_takes_is_refused(elsa: Caller, text: str) -> None:
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
    with CaptureQueriesContext(connection) as asked:
        own(elsa)
    assert len(asked) == 2  # the profile, and what staff had to say


def test_nobody_keeps_a_copy(elsa: Caller) -> None:
    assert elsa.get(PROFILE).headers["Cache-Control"] == "no-store"
