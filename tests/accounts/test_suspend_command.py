"""`manage.py suspend_account`."""

from datetime import UTC, datetime
from io import StringIO

import pytest
import time_machine
from django.core.management import CommandError, call_command

from accounts.models import Account
from accounts.services.erasure import erase_account
from tests.conftest import Caller


def run(*words: str) -> str:
    out = StringIO()
    call_command("suspend_account", *words, stdout=out)
    return out.getvalue().strip()


def test_it_suspends_an_account_at_once_and_lifts_that(elsa: Caller) -> None:
    assert elsa.get("/api/session").status_code == 200
    said = run("Elsa.Nordvall")
    assert said == "elsa.nordvall of bjorkdalen is suspended, with 1 login."
    assert elsa.get("/api/session").json()["code"] == "account_suspended"
    said = run("elsa.nordvall", "--lift")
    assert said == "elsa.nordvall of bjorkdalen is open again, with 1 login."
    assert elsa.get("/api/session").status_code == 200


def test_a_second_time_says_so_and_changes_nothing(elsa: Caller) -> None:
    assert run("elsa.nordvall", "--lift") == "elsa.nordvall of bjorkdalen was open already."
    run("elsa.nordvall")
    since = Account.objects.get().suspended_at
    assert run("elsa.nordvall") == "elsa.nordvall of bjorkdalen was suspended already."
    assert Account.objects.get().suspended_at == since


def test_a_dry_run_changes_nothing(elsa: Caller) -> None:
    said = run("elsa.nordvall", "--dry-run")
    assert said == "elsa.nordvall of bjorkdalen would be suspended, with 1 login."
    assert not Account.objects.get().has_suspension
    run("elsa.nordvall")
    assert "would be open again" in run("elsa.nordvall", "--lift", "--dry-run")
    assert Account.objects.get().has_suspension


@time_machine.travel("2026-12-01T12:00:00Z", tick=False)
def test_it_takes_an_end_and_a_reason(elsa: Caller) -> None:
    said = run("elsa.nordvall", "--until", "2026-12-24", "--reason", "Threats.")
    assert said.startswith("elsa.nordvall of bjorkdalen is suspended until 2026-12-24 00:00, with")
    account = Account.objects.get()
    assert account.suspended_until == datetime(2026, 12, 23, 23, tzinfo=UTC)  # Swedish midnight
    assert account.suspension_reason == "Threats."
    repeated = run("elsa.nordvall", "--until", "2026-12-24T00:00", "--reason", "Threats.")
    assert "suspended already" in repeated
    since = account.suspended_at
    assert "until 2026-12-31 15:30" in run("elsa.nordvall", "--until", "2026-12-31T14:30Z")
    account.refresh_from_db()
    assert (account.suspension_reason, account.suspended_at) == ("", since)


@pytest.mark.parametrize(
    ("words", "error"),
    [
        (["--until", "tomorrow"], "not a date"),
        (["--until", "2020-01-01"], "passed already"),
        (["--until", "9999-99-99"], "not a date"),
        (["--until", "0001-01-01"], "passed already"),
        (["--reason", "x" * 501], "500 characters"),
        (["--lift", "--reason", "x"], "--lift takes"),
        (["--lift", "--until", "2999-01-01"], "--lift takes"),
    ],
)
def test_an_option_that_makes_no_sense_changes_nothing(
    elsa: Caller, words: list[str], error: str
) -> None:
    with pytest.raises(CommandError, match=error):
        run("elsa.nordvall", *words)
    assert not Account.objects.get().has_suspension


def test_it_finds_a_person_who_has_returned_by_their_new_name(elsa: Caller) -> None:
    erase_account(Account.objects.get().pk)
    name = Caller().sign_in().json()["user"]["username"]
    assert "is suspended" in run(name)
    assert "is open again" in run(name, "--lift")


@pytest.mark.parametrize("name", ["nobody", "", "elsa"])
def test_a_name_that_nobody_has_is_an_error(elsa: Caller, name: str) -> None:
    with pytest.raises(CommandError, match="No account has this name") as refused:
        run(name)
    assert refused.value.returncode == 1
    assert not Account.objects.get().has_suspension
