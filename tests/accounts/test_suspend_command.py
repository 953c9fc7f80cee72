"""`manage.py suspend_account`."""

from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from accounts.models import Account
from tests.conftest import Caller


def run(*words: str) -> str:
    out = StringIO()
    call_command("suspend_account", *words, stdout=out)
    return out.getvalue().strip()


def test_it_suspends_an_account_at_once(elsa: Caller) -> None:
    assert elsa.get("/api/session").status_code == 200
    said = run("Elsa.Nordvall")
    assert said == "elsa.nordvall of bjorkdalen is suspended, with 1 logins."
    assert elsa.get("/api/session").json()["code"] == "account_suspended"


def test_it_lifts_the_suspension(elsa: Caller) -> None:
    run("elsa.nordvall")
    said = run("elsa.nordvall", "--lift")
    assert said == "elsa.nordvall of bjorkdalen is open again, with 1 logins."
    assert elsa.get("/api/session").status_code == 200


def test_a_second_time_says_so_and_changes_nothing(elsa: Caller) -> None:
    assert run("elsa.nordvall", "--lift") == "elsa.nordvall of bjorkdalen was open already."
    run("elsa.nordvall")
    since = Account.objects.get().suspended_at
    assert run("elsa.nordvall") == "elsa.nordvall of bjorkdalen was suspended already."
    assert Account.objects.get().suspended_at == since


def test_a_dry_run_changes_nothing(elsa: Caller) -> None:
    said = run("elsa.nordvall", "--dry-run")
    assert said == "elsa.nordvall of bjorkdalen would be suspended, with 1 logins."
    assert not Account.objects.get().is_suspended
    run("elsa.nordvall")
    assert "would be open again" in run("elsa.nordvall", "--lift", "--dry-run")
    assert Account.objects.get().is_suspended


@pytest.mark.parametrize("name", ["nobody", "", "elsa"])
def test_a_name_that_nobody_has_is_an_error(elsa: Caller, name: str) -> None:
    with pytest.raises(CommandError, match="No account has this name") as refused:
        run(name)
    assert refused.value.returncode == 1
    assert not Account.objects.get().is_suspended
