"""What a command does to a person is in the audit log."""

import os
import pwd
from pathlib import Path

import pytest
from django.core.management import call_command

from accounts.models import Account
from staff.models import AuditEntry
from tests.conftest import Caller

COMMANDS = [
    (["suspend_account", "elsa.nordvall", "--reason", "Asked by the school."], "suspend"),
    (["suspend_account", "elsa.nordvall", "--lift"], "lift"),
    (["export_account", "elsa.nordvall", "--output", "elsa.zip"], "export"),
    (["erase_account", "elsa.nordvall", "--yes"], "erase"),
]


@pytest.mark.parametrize(("command", "action"), COMMANDS)
def test_the_entry_names_person_command_and_operator(
    command: list[str], action: str, elsa: Caller, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LOGNAME", "somebody.else")
    number = Account.objects.get().pk
    call_command(*command)
    entry = AuditEntry.objects.get()
    assert (entry.action, entry.command) == (action, command[0])
    assert (entry.account_id, entry.account_name) == (number, "elsa.nordvall")
    assert entry.system_user == pwd.getpwuid(os.getuid()).pw_name
    assert entry.reason == ("Asked by the school." if "--reason" in command else "")


def test_a_dry_run_leaves_no_entry(elsa: Caller) -> None:
    for command, _ in COMMANDS:
        call_command(*command, "--dry-run")
    assert not AuditEntry.objects.exists()


def test_what_cannot_be_logged_is_not_done(
    elsa: Caller, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(AuditEntry.objects, "create", lambda **_: 1 // 0)
    for command, _ in COMMANDS:
        with pytest.raises(ZeroDivisionError):
            call_command(*command)
        assert Account.objects.filter(suspended_at=None).exists()
    assert not Path("elsa.zip").read_bytes()
