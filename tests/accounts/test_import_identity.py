"""Who gets an imported account, and its name: nobody but the person, and nobody who was erased."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from django.db import connection

from accounts.models import Account, Profile, RetiredName
from accounts.services.accounts import find_or_create_account
from accounts.services.erasure import erase_account
from tests.concurrency import at_once
from tests.conftest import ELSA as ELSAS_LOGIN
from tests.conftest import Caller, signed_in
from tests.import_files import (
    BO,
    ELSA,
    HEADER,
    Run,
    conversation,
    conversations,
    friendship,
    message,
    note,
    person,
    run,
    write,
)
from upstream.records import UpstreamSession
from upstream.simulator.server import Simulator

ERASED = "An account of this person, or of this name, was erased here."
OTHER = HEADER | {"source": "a third one"}
ANSWER = UpstreamSession(
    user_id=730214,
    user_name="Elsa.Nordvall",
    first_name="Elsa",
    last_name="Nordvall",
    email="",
    organization_id=41,
    organization_name="Björkdalsskolan",
    role="student",
    user_type_id=None,
    user_type_name="",
)


def from_another_source(path: Path, *rows: Any) -> Run:
    return Run(write(path / "other.ndjson", rows, header=OTHER))


# --- Organisations


def test_nobody_of_another_organisation_gets_the_account(
    caller: Caller, tmp_path: Path, unnumbered: None, simulator: Simulator
) -> None:
    assert run(tmp_path, person(ELSA, organizationId=41), note("n1", ELSA)).status == 0
    simulator.faults.set("session", "other-organization", organization=42)
    assert caller.post("/api/login", ELSAS_LOGIN).status_code == 502
    assert Account.objects.get().unclaimed_since is not None
    simulator.faults.clear()
    assert len(signed_in("elsa.nordvall").get("/api/notes").json()["notes"]) == 1


def test_an_organisation_is_required_where_the_list_names_none(
    caller: Caller, tmp_path: Path, unnumbered: None
) -> None:
    done = run(tmp_path, person(ELSA))
    assert done.reasons == {ELSA: "organizationId: Required, as the list of schools names none."}
    assert not Account.objects.exists()


def test_an_organisation_is_one_of_the_school(caller: Caller, tmp_path: Path) -> None:
    done = run(tmp_path, person(ELSA, organizationId=57), person(BO, organizationId=41))
    reason = "organizationId: The list of schools names others for this school."
    assert done.reasons == {ELSA: reason}
    assert Account.objects.get().organization_id == 41


def test_a_namesake_by_number_in_another_organisation_is_not_the_person(
    elsa: Caller, tmp_path: Path
) -> None:
    """Elsa's account is of organisation 41."""
    done = run(tmp_path, person(ELSA, organizationId=42), note("n1", ELSA))
    reason = "organizationId: Somebody of another organisation has this number."
    assert done.reasons[ELSA] == reason
    assert elsa.get("/api/notes").json()["notes"] == []


# --- Erased people


@pytest.mark.parametrize("claimed", [False, True])
def test_who_was_imported_and_erased_is_recognised_by_the_number(
    caller: Caller, tmp_path: Path, claimed: bool
) -> None:
    """The file of another source, or a later one, has another id and another name."""
    run(tmp_path, person(ELSA))
    if claimed:
        signed_in("elsa.nordvall")
    erase_account(Account.objects.get().pk)
    for username in ("Elsa.Nordvall", "elsa_n"):
        done = from_another_source(tmp_path, person(ELSA, username=username), note("n1", ELSA))
        assert done.reasons[ELSA] == ERASED
        (tmp_path / "other.ndjson").unlink()
    assert not Account.objects.exists()
    again = signed_in("elsa.nordvall")
    assert from_another_source(tmp_path, person(ELSA), note("n1", ELSA)).reasons[ELSA] == ERASED
    assert again.get("/api/notes").json()["notes"] == []


def test_who_was_here_before_the_import_is_recognised_too(elsa: Caller, tmp_path: Path) -> None:
    run(tmp_path, person(ELSA))
    erase_account(Account.objects.get().pk)
    done = from_another_source(tmp_path, person(ELSA, username="other"))
    assert done.reasons == {ELSA: ERASED}


@pytest.mark.parametrize(
    "name", ["elsa.nordvall", "elsa.nordvall@bjorkdalen", "elsa.nordvall@bjorkdalen-730214"]
)
def test_every_form_of_the_name_is_recognised(caller: Caller, tmp_path: Path, name: str) -> None:
    RetiredName.retire(name)
    assert run(tmp_path, person(ELSA)).reasons == {ELSA: ERASED}


def test_the_name_of_a_number_is_recognised(caller: Caller, tmp_path: Path) -> None:
    """Where the school's system has given no user name."""
    RetiredName.retire("user-730214")
    assert run(tmp_path, person(ELSA)).reasons == {ELSA: ERASED}


def test_an_unused_name_is_not_retired(caller: Caller, tmp_path: Path) -> None:
    run(tmp_path, person(BO, username="Elsa.Nordvall"))
    erase_account(Account.objects.get().pk, only_unclaimed=True)
    assert not RetiredName.objects.exists()
    profile = signed_in("elsa.nordvall").get("/api/profile").json()["profile"]
    assert profile["username"] == "elsa.nordvall"


# --- Names


def test_a_user_name_of_the_file_takes_nobodys_display_name(elsa: Caller, tmp_path: Path) -> None:
    run(tmp_path, person(BO, username="Elsa Nordvall"))
    assert elsa.get("/api/profile").json()["profile"]["displayName"] == "Elsa Nordvall"
    unclaimed = Account.objects.exclude(unclaimed_since=None).get()
    assert unclaimed.username == "elsa nordvall@bjorkdalen"


def test_the_person_of_the_name_gets_it(caller: Caller, tmp_path: Path) -> None:
    pupil = person(BO, username="Torbjörn.Ekvik", displayName="Torbjörn.Ekvik")
    run(tmp_path, person(ELSA), pupil, friendship(BO, ELSA), conversation("c1", BO, ELSA))
    elsa = signed_in("elsa.nordvall")
    (before,) = conversations(elsa)
    teacher = signed_in("torbjörn.ekvik")
    assert teacher.get("/api/profile").json()["profile"]["username"] == "torbjörn.ekvik"
    unclaimed = Account.objects.exclude(unclaimed_since=None).get()
    assert unclaimed.username == "torbjörn.ekvik@bjorkdalen"
    profile = Profile.objects.get(account=unclaimed)
    assert profile.display_name == "Bo Ek"
    assert "torbjorn.ekvik@bjorkdalen" in profile.search_key
    (after,) = conversations(elsa)
    assert after["revision"] > before["revision"]


def test_two_unclaimed_people_with_each_others_names(caller: Caller, tmp_path: Path) -> None:
    run(tmp_path, person(ELSA, username="Bo.Ek"), person(BO, username="Elsa.Nordvall"))
    for name in ("elsa.nordvall", "bo.ek"):
        assert signed_in(name).get("/api/profile").json()["profile"]["username"] == name


def test_the_new_name_of_a_claimed_account_reaches_clients(caller: Caller, tmp_path: Path) -> None:
    rows = [person(ELSA), person(BO, username="bosse"), friendship(BO, ELSA)]
    run(tmp_path, *rows, conversation("c1", BO, ELSA), message("m1", "c1", BO))
    elsa = signed_in("elsa.nordvall")
    (before,) = conversations(elsa)
    assert "bosse" in str(before)
    known = {before["id"]: before["revision"]}
    signed_in("bo.ek")
    synced = elsa.post("/api/sync", {"conversations": known}).json()
    (shown,) = synced["conversations"]
    assert "bo.ek" in str(shown)
    assert shown["revision"] > before["revision"]


# --- At the same moment


@pytest.mark.django_db(transaction=True)
def test_two_people_with_each_others_names_sign_in_at_once(
    simulator: Simulator, tmp_path: Path
) -> None:
    rows = [person(ELSA, username="Bo.Ek"), person(BO, username="Elsa.Nordvall")]
    run(tmp_path, *rows, friendship(BO, ELSA), conversation("c1", BO, ELSA))
    sign_ins = [partial(signed_in, name) for name in ("elsa.nordvall", "bo.ek") * 3]
    for caller, name in zip(at_once(sign_ins), ("elsa.nordvall", "bo.ek") * 3, strict=True):
        assert caller.get("/api/profile").json()["profile"]["username"] == name
    assert set(Account.objects.values_list("unclaimed_since", flat=True)) == {None}


def during(statement: str, work: Callable[[], Any], run_it: Callable[[], Any]) -> Any:
    """Do this work just before the first statement that begins so."""
    left = [work]

    def wrapper(execute: Any, sql: str, *rest: Any) -> Any:
        if left and sql.startswith(statement):
            left.pop()()
        return execute(sql, *rest)

    with connection.execute_wrapper(wrapper):
        done = run_it()
    assert not left
    return done


def test_a_sign_in_at_the_same_moment_is_not_overwritten(caller: Caller, tmp_path: Path) -> None:
    done = during(
        'SELECT %s AS "a" FROM "accounts_profile"',
        lambda: find_or_create_account("bjorkdalen", ANSWER),
        lambda: run(tmp_path, person(ELSA, displayName="Other", bio="of the file")),
    )
    assert done.counts("person") == (0, 1, 0, 0)
    profile = Profile.objects.get()
    assert (profile.display_name, profile.bio) == ("Elsa Nordvall", "")


def test_another_run_at_the_same_moment_is_no_other_person(caller: Caller, tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    done = during(
        'SELECT %s AS "a" FROM "accounts_profile"',
        lambda: run(tmp_path / "other", person(ELSA)),
        lambda: run(tmp_path, person(ELSA)),
    )
    assert (done.status, done.reasons) == (0, {})


def test_a_sign_in_just_after_the_retention_makes_an_account(
    caller: Caller, tmp_path: Path
) -> None:
    run(tmp_path, person(ELSA, bio="of the file"))
    unclaimed = Account.objects.get()
    account = during(
        'SELECT %s AS "a" FROM "accounts_account"',
        lambda: erase_account(unclaimed.pk, only_unclaimed=True),
        lambda: find_or_create_account("bjorkdalen", ANSWER),
    )
    assert Account.objects.get() == account != unclaimed
    assert Profile.objects.get().bio == ""
