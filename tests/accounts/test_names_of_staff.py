"""Nobody passes for somebody who works at the school by a display name."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import pytest
from django.core.management import call_command

from accounts.models import Account, KeptText, Profile
from accounts.signals import profile_changed
from tests.accounts.conftest import hearing
from tests.accounts.test_profile import own, put, saved
from tests.concurrency import at_once
from tests.conftest import Caller, signed_in
from upstream.simulator.server import Simulator

ELSA = "elsa.nordvall"
TEACHER, TEACHERS_NAME = "torbjörn.ekvik", "Torbjörn Ekvik"
OFFICES = ["Rektorn", "Skolans personal", "R e k t o r", "Bo, lärare"]
NAMES_OF_THE_TEACHER = [
    TEACHERS_NAME, "torbjörn ekvik", "Torbjörn_Ekvik", "Ekvik, Torbjörn", "Tоrbjörn Ekvik",
    "𝐓𝐨𝐫𝐛𝐣ö𝐫𝐧 𝐄𝐤𝐯𝐢𝐤", "Torbjörn Ekvik 🎓",
]  # fmt: skip


def refused(caller: Caller, name: str) -> bool:
    """Whether they may not have this display name."""
    answer = put(caller, displayName=name)
    if answer.status_code == 200:
        return False
    assert (answer.status_code, answer.json()["code"]) == (400, "display_name_refused")
    assert list(answer.json()["fields"]) == ["displayName"]
    return True


def teacher() -> Caller:
    return signed_in(TEACHER)


def choose(caller: Caller, name: str) -> None:
    """Give them a display name as a version of the service that refused none would have."""
    rows = Profile.objects.filter(account__username=own(caller)["username"])
    rows.update(display_name=name, display_key=name.casefold())


def change_at_school(simulator: Simulator, username: str, **changes: Any) -> None:
    person = simulator.state.person("bjorkdalen", username)
    simulator.state.schools["bjorkdalen"].add(replace(person, **changes))


@pytest.mark.parametrize("name", OFFICES)
def test_no_pupil_has_the_name_of_an_office(elsa: Caller, name: str) -> None:
    assert refused(elsa, name)
    assert own(elsa)["displayName"] == "Elsa Nordvall"


@pytest.mark.django_db
def test_nor_does_a_guardian_but_a_teacher_may(simulator: Simulator) -> None:
    guardian = signed_in("gun.nordvall")
    assert refused(guardian, "Rektorn")
    assert not refused(teacher(), "Rektorn")


def test_the_refusal_is_said_in_both_languages(elsa: Caller) -> None:
    for language, word in (("sv", "skolan"), ("en", "school")):
        answer = elsa.http.put(
            "/api/profile",
            {"displayName": "Rektorn"},
            content_type="application/json",
            headers={"accept-language": language},
        )
        assert word in answer.json()["error"]
        assert answer.json()["fields"]["displayName"] == [answer.json()["error"]]


def test_no_pupil_has_the_name_of_a_teacher_of_the_own_school(
    elsa: Caller, zoe: Caller, simulator: Simulator
) -> None:
    teacher()
    for name in NAMES_OF_THE_TEACHER:
        assert refused(elsa, name), ascii(name)
    for name in ("Torbjörn", "Torbjorn Ekvik", "Torbjörn Ekviken", "Bo Ek"):
        assert not refused(elsa, name), name
    assert not refused(zoe, TEACHERS_NAME)  # the other school
    assert not refused(signed_in("gun.nordvall"), TEACHERS_NAME)


def test_ones_own_name_is_always_allowed(elsa: Caller, simulator: Simulator) -> None:
    teacher()
    change_at_school(simulator, "elsa.nordvall", first_name="Torbjörn", last_name="Ekvik")
    assert not refused(elsa, TEACHERS_NAME)
    change_at_school(simulator, "elsa.nordvall", first_name="Mentor", last_name="Lärare-Ek")
    assert not refused(elsa, "Mentor Ek")
    assert not refused(elsa, "")
    assert own(elsa)["displayName"] == "Mentor Lärare-Ek"
    assert refused(elsa, "Mentor Rektor")


@pytest.mark.django_db(transaction=True)
def test_the_name_of_a_teacher_who_comes_later_is_taken_back(
    elsa: Caller, zoe: Caller, simulator: Simulator
) -> None:
    assert not refused(elsa, "Torbjörn_Ekvik 7")
    assert not refused(zoe, TEACHERS_NAME)
    with hearing(profile_changed) as heard:
        assert own(teacher())["displayName"] == TEACHERS_NAME
    assert own(elsa)["displayName"] == "Elsa Nordvall"
    assert own(zoe)["displayName"] == TEACHERS_NAME
    assert [told["account_id"] for told in heard] == [Account.objects.get(username=ELSA).pk]
    assert refused(elsa, TEACHERS_NAME)


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    ("username", "name", "change"),
    [(TEACHER, "Tora Ekvik", {"first_name": "Tora"}), ("bo.ek", "Bo Ek", {"role": "teacher"})],
)
def test_so_is_the_new_name_of_a_teacher_and_the_name_of_a_new_teacher(
    elsa: Caller, simulator: Simulator, username: str, name: str, change: dict[str, str]
) -> None:
    signed_in(username)
    assert not refused(elsa, name)
    change_at_school(simulator, username, **change)
    assert own(signed_in(username))["displayName"] == name
    assert own(elsa)["displayName"] == "Elsa Nordvall"


@pytest.mark.django_db
def test_a_teacher_who_becomes_a_pupil_is_no_rektor_any_more(simulator: Simulator) -> None:
    person = teacher()
    assert not refused(person, "Rektorn")
    simulator.state.change_role(simulator.state.person("bjorkdalen", TEACHER), "student")
    assert saved(person, bio="x")["displayName"] == TEACHERS_NAME


def test_a_name_from_before_the_rule_goes_with_the_next_change(elsa: Caller) -> None:
    choose(elsa, "Rektorn")
    assert saved(elsa, bio="x")["displayName"] == "Elsa Nordvall"


def test_and_the_nightly_job_takes_back_those_of_everybody(
    elsa: Caller, zoe: Caller, simulator: Simulator, capsys: pytest.CaptureFixture[str]
) -> None:
    person = teacher()
    KeptText.objects.all().delete()
    choose(elsa, TEACHERS_NAME)
    choose(zoe, "Skolans personal")
    choose(person, "Rektorn")
    call_command("enforce_retention", dry_run=True)
    assert "2 display names by which people pass for staff would be taken back" in (
        capsys.readouterr().out
    )
    assert own(elsa)["displayName"] == TEACHERS_NAME
    for count in (2, 0):
        call_command("enforce_retention")
        assert f"{count} display names by which people pass for staff taken back" in (
            capsys.readouterr().out
        )
    assert own(elsa)["displayName"] == "Elsa Nordvall"
    assert own(zoe)["displayName"] == "Zoe Åkerman"
    assert own(person)["displayName"] == "Rektorn"
    assert KeptText.objects.count() == 2  # they can still be reported
    assert Profile.objects.get(account__username=ELSA).search_key.startswith("elsa nordvall\n")


@pytest.mark.django_db(transaction=True)
def test_a_name_that_is_chosen_while_its_teacher_comes_does_not_stay(
    elsa: Caller, simulator: Simulator
) -> None:
    for number in range(10):
        change_at_school(simulator, TEACHER, first_name=f"Tor{'abcdefghij'[number]}")
        name = f"Tor{'abcdefghij'[number]} Ekvik"
        calls: list[Callable[[], Any]] = [partial(put, elsa, displayName=name), teacher]
        at_once(calls)
        assert own(elsa)["displayName"] != name
