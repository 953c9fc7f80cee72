"""Names that come from upstream: updated at a PUT and at a login."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from typing import Any

import pytest

from accounts.models import Account, Profile, RetiredName
from accounts.signals import profile_changed
from tests.accounts.conftest import Heard, hearing
from tests.accounts.test_profile import own, put, saved
from tests.concurrency import at_once
from tests.conftest import Caller, signed_in
from upstream.simulator.people import Person
from upstream.simulator.server import Simulator

Rename = Callable[..., Person]
Commit = Callable[..., Any]


@pytest.fixture
def rename(elsa_upstream: Person, simulator: Simulator) -> Rename:
    """Changes Elsa's names in the simulated school system."""

    def change(**changes: Any) -> Person:
        person = replace(elsa_upstream, **changes)
        simulator.state.schools["bjorkdalen"].add(person)
        return person

    return change


@pytest.fixture
def heard() -> Iterator[Heard]:
    """The arguments of each `profile_changed`."""
    with hearing(profile_changed) as told:
        yield told


def test_a_change_reads_the_names_from_upstream_again(elsa: Caller, rename: Rename) -> None:
    assert elsa.get("/api/session").json()["name"] == own(elsa)["displayName"] == "Elsa Nordvall"
    rename(first_name="Elsie", last_name="Sundin", email="e@b.example")
    profile = saved(elsa)
    names = ("firstName", "lastName", "email", "displayName")
    assert [profile[name] for name in names] == ["Elsie", "Sundin", "e@b.example", "Elsie Sundin"]
    assert elsa.get("/api/session").json()["name"] == "Elsie Sundin"


def test_a_chosen_display_name_stays(elsa: Caller, rename: Rename) -> None:
    saved(elsa, displayName="Ellie")
    rename(first_name="Elsie")
    assert saved(elsa, bio="x")["displayName"] == "Ellie"
    Caller().sign_in()
    assert own(elsa)["displayName"] == "Ellie"


def test_an_empty_display_name_is_the_full_name(elsa: Caller) -> None:
    for empty in ("", "  ", "\t\n"):
        saved(elsa, displayName="Ellie")
        assert saved(elsa, displayName=empty)["displayName"] == "Elsa Nordvall"


def test_a_person_without_a_name_is_called_by_the_username(elsa: Caller, rename: Rename) -> None:
    rename(first_name="", last_name="")
    assert saved(elsa)["displayName"] == "elsa.nordvall"


def test_the_rest_is_saved_when_upstream_fails(
    elsa: Caller, simulator: Simulator, rename: Rename
) -> None:
    own(elsa)
    rename(first_name="Elsie")
    for fault in ("500", "reset", "not-json", "404", "429"):
        simulator.faults.set("session", fault)
        profile = saved(elsa, bio=fault)
        assert (profile["bio"], profile["firstName"]) == (fault, "Elsa")


def test_a_dead_session_is_401_and_nothing_is_saved(
    elsa: Caller, elsa_upstream: Person, simulator: Simulator
) -> None:
    own(elsa)
    simulator.state.kill_web_sessions(elsa_upstream)
    answer = put(elsa, bio="x")
    assert (answer.status_code, answer.json()["code"]) == (401, "not_signed_in")
    assert elsa.get("/api/profile").status_code == 401
    assert Profile.objects.get().bio == ""
    assert elsa.post("/api/refresh").status_code == 200
    assert saved(elsa, bio="x")["bio"] == "x"


def test_a_native_app_gets_a_new_web_session_instead(
    bearer: dict[str, str], elsa: Caller, elsa_upstream: Person, simulator: Simulator
) -> None:
    app = Caller()
    assert app.get("/api/profile", **bearer).status_code == 200
    simulator.state.kill_web_sessions(elsa_upstream)
    answer = app.http.put(
        "/api/profile", {"bio": "x"}, content_type="application/json", headers=bearer
    )
    assert (answer.status_code, answer.json()["profile"]["bio"]) == (200, "x")


def test_a_session_that_is_somebody_elses_now_is_401(
    elsa: Caller, simulator: Simulator, rename: Rename
) -> None:
    own(elsa)
    rename(user_id=730215, first_name="Ömer")
    assert put(elsa, bio="x").status_code == 401
    assert Profile.objects.get().first_name == "Elsa"
    assert elsa.get("/api/profile").status_code == 401


def test_a_new_display_name_is_announced_after_the_commit(
    elsa: Caller, heard: Heard, django_capture_on_commit_callbacks: Commit
) -> None:
    account_id = Account.objects.get().pk
    with django_capture_on_commit_callbacks() as waiting:
        put(elsa, displayName="Ellie")
        assert heard == []
    for callback in waiting:
        callback()
    assert heard == [{"account_id": account_id}]
    with django_capture_on_commit_callbacks() as waiting:
        put(elsa, displayName="Ellie", bio="x")
        put(elsa, displayName="a\nb")
    assert waiting == []


def test_a_login_announces_a_new_name(
    elsa: Caller,
    heard: Heard,
    rename: Rename,
    django_capture_on_commit_callbacks: Commit,
) -> None:
    rename(first_name="Elsie")
    with django_capture_on_commit_callbacks(execute=True):
        Caller().sign_in()
    assert heard == [{"account_id": Account.objects.get().pk}]


def test_the_search_key_follows_the_names(elsa: Caller, rename: Rename) -> None:
    def key() -> list[str]:
        return Profile.objects.get().search_key.split("\n")

    assert key() == ["elsa nordvall", "elsa.nordvall"]
    rename(first_name="Élsie")
    signed_in()
    assert key() == ["elsie nordvall", "elsa.nordvall"]
    saved(elsa, displayName="Åsa  Öberg")
    assert key() == ["asa oberg", "elsa.nordvall"]
    saved(elsa, displayName="ﷺ" * 80)
    assert key()[0].startswith("صلى الله عليه وسلم")


def test_the_name_of_somebody_erased_is_not_given_out_again(caller: Caller) -> None:
    RetiredName.retire("elsa.nordvall")
    RetiredName.retire("elsa.nordvall@bjorkdalen")
    assert caller.sign_in().json()["user"]["username"] == "elsa.nordvall@bjorkdalen-730214"


def test_two_changes_at_once_are_both_kept(transactional_db: None, simulator: Simulator) -> None:
    elsa = signed_in()
    phone = signed_in()
    fields = [{"bio": "x"}, {"location": "Umeå"}, {"displayName": "Ellie"}, {"pronouns": "hon"}]
    callers = [elsa, phone, elsa, phone]
    changes = zip(callers, fields, strict=True)
    answers = at_once([partial(put, who, **one) for who, one in changes])
    assert [answer.status_code for answer in answers] == [200] * 4
    profile = own(elsa)
    assert {name: profile[name] for one in fields for name in one} == {
        name: value for one in fields for name, value in one.items()
    }
