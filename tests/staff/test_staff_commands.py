"""`create_staff`, `remove_staff` and `list_staff`."""

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from django.core.management import CommandError, call_command
from django.test import Client

from staff.models import AuditEntry, StaffDevice, StaffMember
from staff.services.members import set_roles, staff_schools
from tests.staff.conftest import Enter, sign_in, token_of

Capture = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def roles(db: None) -> None:
    set_roles()


def create(*args: str) -> None:
    call_command("create_staff", "moa", *args)


def _moa() -> tuple[list[str], list[str], str, str]:
    """Her roles, schools, password hash and second factor."""
    user = User.objects.get(username="moa")
    schools = StaffMember.objects.get(user=user).schools
    roles = [group.name for group in user.groups.all()]
    return roles, schools, user.password, StaffDevice.objects.get(user=user).key


def test_a_new_member_gets_a_password_and_a_second_factor(capsys: Capture) -> None:
    create("--role", "operator")
    shown = capsys.readouterr().out
    assert "moa is operator now." in shown
    password = shown.partition("password")[2].split()[0]
    assert f"secret={_secret()}" in shown
    assert sign_in(Client(), "moa", password, token_of("moa")).status_code == 302
    user = User.objects.get()
    assert (user.is_staff, user.is_superuser) == (True, False)


def _secret() -> str:
    return str(StaffDevice.objects.get().config_url).partition("secret=")[2].partition("&")[0]


def test_a_moderator_can_be_limited_to_schools(capsys: Capture) -> None:
    create("--school", "nyvang", "--school", "bjorkdalen")
    assert "moderator of bjorkdalen, nyvang" in capsys.readouterr().out
    assert staff_schools(User.objects.get()) == frozenset({"bjorkdalen", "nyvang"})
    call_command("create_staff", "mio")
    assert "moderator of all schools" in capsys.readouterr().out
    assert staff_schools(User.objects.get(username="mio")) is None


def test_a_reset_renews_the_secrets_and_keeps_the_role(enter: Enter, capsys: Capture) -> None:
    client, other = enter("operator"), enter(username="mio")
    before = _moa()
    create("--reset")
    after = _moa()
    assert after[:2] == before[:2] == (["operator"], [])
    assert after[2] != before[2]
    assert after[3] != before[3]
    assert client.get("/admin/").status_code == 302
    assert other.get("/admin/").status_code == 200
    assert Session.objects.count() == 1
    assert "moa is operator now." in capsys.readouterr().out


def test_a_change_of_role_keeps_the_secrets(enter: Enter, capsys: Capture) -> None:
    client = enter("operator")
    before = _moa()
    create("--change-role", "--role", "moderator", "--school", "nyvang")
    assert _moa() == (["moderator"], ["nyvang"], *before[2:])
    assert client.get("/admin/accounts/servicesession/").status_code == 403
    assert "password" not in capsys.readouterr().out


REFUSED: list[tuple[list[str], str]] = [
    (["moa"], "moa is staff already, as moderator of nyvang"),
    (["MOA"], "moa is staff already"),
    (["moa", "--reset", "--role", "operator"], "add --change-role"),
    (["moa", "--reset", "--school", "bjorkdalen"], "add --change-role"),
    (["moa", "--change-role"], "--change-role needs --role"),
    (["root"], "superuser"),
    (["root", "--reset"], "superuser"),
    (["gone"], "gone was removed"),
    (["gone", "--reset"], "gone was removed"),
    (["m o a"], "cannot be a user name"),
    ([""], "cannot be a user name"),
    (["m" * 151], "cannot be a user name"),
    (["new", "--role", "operator", "--school", "nyvang"], "Only a moderator"),
    (["new", "--school", "../nyvang"], "not the slug"),
]


@pytest.mark.parametrize("dry_run", [[], ["--dry-run"]])
def test_it_refuses_and_changes_nothing(dry_run: list[str]) -> None:
    def state() -> Any:
        return _moa(), list(User.objects.order_by("pk").values()), AuditEntry.objects.count()

    create("--school", "nyvang")
    call_command("create_staff", "gone")
    call_command("remove_staff", "gone")
    User.objects.create_superuser("root", password="")
    before = state()
    for args, why in REFUSED:
        with pytest.raises(CommandError, match=why):
            call_command("create_staff", *args, *dry_run)
        assert state() == before, args


def test_a_dry_run_says_what_would_happen(capsys: Capture) -> None:
    create("--role", "auditor", "--dry-run")
    assert capsys.readouterr().out == (
        "moa would be auditor, with a new password and second factor.\n"
    )
    assert not User.objects.exists()
    assert not AuditEntry.objects.exists()
    create()
    capsys.readouterr()
    create("--change-role", "--role", "operator", "--dry-run")
    assert capsys.readouterr().out == "moa would be operator.\n"


def test_a_removed_member_is_signed_out_at_once_and_stays_named(
    enter: Enter, capsys: Capture
) -> None:
    client, other = enter(), enter(username="mio")
    client.get("/admin/social/case/")
    call_command("remove_staff", "moa", "--reason", "Left the school.")
    assert capsys.readouterr().out == "moa is removed from staff; 1 sessions ended.\n"
    assert client.get("/admin/").status_code == 302
    assert other.get("/admin/").status_code == 200
    assert Session.objects.count() == 1
    assert not StaffDevice.objects.filter(user__username="moa").exists()
    assert AuditEntry.objects.get(action="list").staff_name == "moa"
    removal = AuditEntry.objects.get(action="remove_staff")
    assert (removal.target, removal.reason) == ("staff moa", "Left the school.")
    assert (removal.staff_id, removal.command) == (None, "remove_staff")


def test_a_removed_member_does_not_sign_in_again(enter: Enter) -> None:
    enter()
    User.objects.filter(username="moa").update(password="")
    call_command("remove_staff", "moa")
    user = User.objects.get()
    assert (user.is_active, user.is_staff, user.has_usable_password()) == (False, False, False)


@pytest.mark.parametrize("name", ["nobody", "gone", ""])
def test_only_staff_can_be_removed(name: str) -> None:
    call_command("create_staff", "gone")
    call_command("remove_staff", "gone")
    with pytest.raises(CommandError, match="is staff"):
        call_command("remove_staff", name)


def test_a_dry_run_removes_nobody(enter: Enter, capsys: Capture) -> None:
    client = enter()
    call_command("remove_staff", "moa", "--dry-run")
    assert capsys.readouterr().out == "moa would be removed from staff.\n"
    assert client.get("/admin/").status_code == 200
    assert not AuditEntry.objects.exists()


def test_the_list_has_role_schools_and_second_factor(enter: Enter, capsys: Capture) -> None:
    enter()
    call_command("create_staff", "mio", "--school", "nyvang")
    StaffDevice.objects.filter(user__username="mio").delete()
    capsys.readouterr()
    call_command("list_staff")
    mio, moa, total = capsys.readouterr().out.splitlines()
    assert mio == "mio  moderator of nyvang  last sign-in never  NO second factor"
    assert moa.startswith("moa  moderator of all schools  last sign-in 20")
    assert total == "2 members of staff."


@pytest.mark.parametrize(
    ("command", "action"), [("create_staff", "create_staff"), ("list_staff", "list")]
)
def test_commands_about_staff_are_in_the_audit_log(command: str, action: str) -> None:
    call_command(command, *(["moa"] if command == "create_staff" else []))
    entry = AuditEntry.objects.get()
    assert (entry.action, entry.command, entry.staff) == (action, command, None)
    assert entry.system_user
    assert entry.target.startswith("staff")
