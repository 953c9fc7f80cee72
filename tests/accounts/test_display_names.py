"""Display names: they may repeat, but none looks like somebody else's public name."""

from dataclasses import replace

import pytest
from django.db import connection, transaction

from accounts.models import Account, Profile
from tests.accounts.test_profile import own, put, saved
from tests.concurrency import crowd
from tests.conftest import Caller, signed_in
from upstream.simulator.server import Simulator

IMITATIONS = [
    "zoe.åkerman", "Zoe.Åkerman", "zoe.a\u030akerman", "zое.åkerman", "ｚｏｅ.åkerman",
    " zoe․åkerman ", "𝐳𝐨𝐞.åkerman",
]  # fmt: skip


def test_somebody_elses_public_name_is_refused(elsa: Caller, zoe: Caller) -> None:
    for name in IMITATIONS:
        answer = put(elsa, displayName=name, bio="x")
        assert (answer.status_code, answer.json()["code"]) == (400, "invalid_input"), ascii(name)
        assert list(answer.json()["fields"]) == ["displayName"]
    assert (own(elsa)["displayName"], own(elsa)["bio"]) == ("Elsa Nordvall", "")


def test_other_names_and_ones_own_are_allowed(elsa: Caller, zoe: Caller) -> None:
    assert own(zoe)["displayName"] == "Zoe Åkerman"  # which may repeat
    for name in ("zoe.akerman", "Zoe Åkerman", "Elsa.Nordvall", "elsa.nordvall"):
        assert saved(elsa, displayName=name)["displayName"] == name


def test_a_suspended_persons_name_is_refused_too(elsa: Caller, zoe: Caller) -> None:
    Account.objects.filter(username="zoe.åkerman").update(suspended_at="2026-11-01T00:00Z")
    assert put(elsa, displayName="zoe.åkerman").status_code == 400


def test_a_name_that_was_chosen_before_its_owner_came_is_taken_back(
    elsa: Caller, simulator: Simulator
) -> None:
    chosen = saved(elsa, displayName="zое.åkerman")
    assert chosen["displayName"] == "zое.åkerman"
    zoe = Caller()
    zoe.sign_in("zoe.åkerman", "nyvang")
    assert own(elsa)["displayName"] == "Elsa Nordvall"
    assert own(elsa)["updatedAt"] > chosen["updatedAt"]
    assert Profile.objects.get(account__username="elsa.nordvall").display_key == "elsa nordvall"
    assert own(zoe)["username"] == "zoe.åkerman"


@pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite locks no rows")
@pytest.mark.django_db(transaction=True)
def test_taking_a_name_back_waits_for_no_account(elsa: Caller, simulator: Simulator) -> None:
    """Whoever waits for others twice could wait for somebody who waits for them."""
    saved(elsa, displayName="zое.åkerman")
    zoe = Caller()
    with crowd(1) as start, transaction.atomic():
        list(Account.objects.select_for_update(no_key=True).filter(username="elsa.nordvall"))
        start(lambda: zoe.sign_in("zoe.åkerman", "nyvang")).result(20)
    assert own(elsa)["displayName"] == "Elsa Nordvall"


@pytest.mark.parametrize(
    ("first", "last", "shown"),
    [
        ("zoe.åkerman", "", "elsa.nordvall"),
        ("Zоe.Åkerman", "", "elsa.nordvall"),
        ("\u3164", "\u2800", "elsa.nordvall"),
        ("El\u200bsa", "Ek\u00ad", "Elsa Ek"),
    ],
)
def test_a_full_name_that_nobody_may_have_is_replaced(
    zoe: Caller, simulator: Simulator, first: str, last: str, shown: str
) -> None:
    school = simulator.state.schools["bjorkdalen"]
    person = simulator.state.person("bjorkdalen", "elsa.nordvall")
    school.add(replace(person, first_name=first, last_name=last))
    elsa = signed_in()
    assert own(elsa)["displayName"] == shown
    assert saved(elsa, displayName="")["displayName"] == shown
    school.add(person)
    assert saved(elsa)["displayName"] == "Elsa Nordvall"


def test_the_key_of_a_display_name_follows_it(elsa: Caller) -> None:
    saved(elsa, displayName="Еlsа  N")
    assert Profile.objects.get().display_key == "elsa n"
