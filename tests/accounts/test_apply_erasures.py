"""`apply_erasures`: who is erased again after a restore, and who is not."""

from datetime import timedelta
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone
from pytest_django.fixtures import Settings

from accounts.models import Account, Erasure, RetiredName
from accounts.services.erasure import erase_account
from staff.models import AuditEntry
from tests.conftest import Caller, signed_in

PASSWORD = {"password": "elsa-demo"}


def apply(file: Path, *options: str) -> tuple[int, str]:
    """The command's exit code, and what it said."""
    out = StringIO()
    try:
        call_command("apply_erasures", str(file), *options, stdout=out, stderr=StringIO())
    except SystemExit as ended:
        return int(str(ended.code)), out.getvalue()
    return 0, out.getvalue()


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "erasures.txt"


def write_list(file: Path) -> None:
    """As deploy/list_erasures.sh does."""
    rows = Erasure.objects.order_by("erased_at")
    lines = [f"{row.erased_at.isoformat()} {row.key_hash} {row.person_hash}" for row in rows]
    file.write_text("\n".join(lines) + "\n")


def restore(username: str, *, made_before: timedelta = timedelta(days=3)) -> Account:
    """The account, and what the database knew of erasures, as in a back-up of before."""
    Erasure.objects.all().delete()
    RetiredName.objects.all().delete()
    signed_in(username)
    account = Account.objects.get(username=username)
    Account.objects.filter(pk=account.pk).update(created_at=timezone.now() - made_before)
    return account


@pytest.fixture
def restored(elsa: Caller, file: Path) -> Account:
    """Elsa's account, which was erased after the back-up was made. The list says so."""
    erase_account(Account.objects.get().pk)
    write_list(file)
    return restore("elsa.nordvall")


def test_whoever_was_erased_after_the_back_up_is_erased_again(
    elsa: Caller, bo: Caller, file: Path
) -> None:
    assert elsa.delete("/api/account", PASSWORD).status_code == 200
    write_list(file)
    assert "elsa" not in file.read_text()
    account = restore("elsa.nordvall")

    code, said = apply(file, "--dry-run")
    assert (code, Account.objects.count()) == (0, 2)
    assert "elsa.nordvall of bjorkdalen\n1 erasures: 1 accounts would be erased" in said

    code, said = apply(file)
    assert code == 0
    assert "1 erasures: 1 accounts erased, 0 were done before the back-up, 0 people" in said
    assert Account.objects.get().username == "bo.ek"
    entry = AuditEntry.objects.get(action="erase")
    assert (entry.command, entry.account_id) == ("apply_erasures", account.pk)
    assert entry.account_name == "elsa.nordvall"
    assert entry.system_user

    code, said = apply(file)
    assert (code, Account.objects.count()) == (0, 1)
    assert "0 accounts erased, 1 were done before" in said


def test_somebody_who_came_back_before_the_back_up_stays(elsa: Caller, file: Path) -> None:
    assert elsa.delete("/api/account", PASSWORD).status_code == 200
    write_list(file)
    elsa.sign_in()
    assert "0 accounts erased, 1 were done before the back-up" in apply(file)[1]
    # Also if the restored database had not known of the erasure.
    Erasure.objects.all().delete()
    code, said = apply(file)
    assert code == 0
    assert "0 accounts erased, 0 were done before the back-up, 1 people" in said
    assert elsa.get("/api/session").status_code == 200
    assert Erasure.objects.count() == 1  # it is not lost from the next list


def test_the_second_of_two_erasures_counts_for_the_account_between_them(
    elsa: Caller, file: Path
) -> None:
    erase_account(Account.objects.get().pk)
    elsa.sign_in()
    erase_account(Account.objects.get().pk)
    write_list(file)
    between, _ = Erasure.objects.order_by("-erased_at")
    restore("elsa.nordvall")
    Account.objects.update(created_at=between.erased_at - timedelta(microseconds=1))
    said = apply(file)[1]
    assert "2 erasures: 1 accounts erased, 0 were done before the back-up, 1 people" in said
    assert not Account.objects.exists()


def test_an_interrupted_run_goes_on(elsa: Caller, bo: Caller, file: Path) -> None:
    for account in Account.objects.all():
        erase_account(account.pk)
    write_list(file)
    restore("elsa.nordvall")
    restore("bo.ek")
    lines = file.read_text()
    file.write_text(lines.splitlines()[0] + "\n")
    assert "1 erasures: 1 accounts erased" in apply(file)[1]
    file.write_text(lines)
    assert "2 erasures: 1 accounts erased, 1 were done before" in apply(file)[1]
    assert not Account.objects.exists()


def test_lines_of_another_secret_key_are_counted_and_applied_with_it(
    restored: Account, file: Path, settings: Settings
) -> None:
    former, settings.SECRET_KEY = settings.SECRET_KEY, "another " + "y" * 40
    code, said = apply(file)
    assert (code, Account.objects.count()) == (1, 1)
    assert "1 lines are of another SECRET_KEY" in said
    settings.SECRET_KEY = former
    assert apply(file)[0] == 0
    assert not Account.objects.exists()


@pytest.mark.parametrize(
    "line",
    ["nonsense", "2026-11-21T03:00:00+00:00 abc", f"2026-11-21T03:00:00 abc {'0' * 64}", "x y z"],
)
def test_a_line_that_cannot_be_read_is_reported_and_stops_nothing(
    restored: Account, file: Path, line: str
) -> None:
    file.write_text(f"{line}\n\n{file.read_text()}")
    code, said = apply(file)
    assert (code, Account.objects.count()) == (1, 0)
    assert "1 unreadable" in said


def test_a_missing_list_is_an_error(db: None, file: Path) -> None:
    with pytest.raises(CommandError, match="cannot be read"):
        call_command("apply_erasures", str(file))


def test_what_is_remembered_of_erasures_is_forgotten_after_400_days(elsa: Caller) -> None:
    erase_account(Account.objects.get().pk)
    Erasure.objects.update(erased_at=timezone.now() - timedelta(days=399))
    call_command("purge_expired", stdout=StringIO())
    assert Erasure.objects.count() == 1
    Erasure.objects.update(erased_at=timezone.now() - timedelta(days=401))
    call_command("purge_expired", "--dry-run", stdout=StringIO())
    assert Erasure.objects.count() == 1
    call_command("purge_expired", stdout=StringIO())
    assert Erasure.objects.count() == 0
