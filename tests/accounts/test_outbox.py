"""Without Redis, what a command changes reaches the memory of the server through the outbox."""

from datetime import timedelta

import pytest
from django.conf import settings as django_settings
from django.db import transaction
from django.utils import timezone

from accounts import outbox
from accounts.models import Account, OutboxCall
from accounts.services.erasure import erase_account
from accounts.services.suspension import suspend_account, unsuspend_account
from tests.conftest import Caller


@pytest.fixture
def in_command(monkeypatch: pytest.MonkeyPatch) -> None:
    """Services are called as by a command in another process, until the server looks."""
    if django_settings.REDIS_URL:
        pytest.skip("with Redis, commands and servers share their memory")
    monkeypatch.setattr(outbox, "is_server", False)


def hear(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the server does twice a second."""
    monkeypatch.setattr(outbox, "is_server", True)
    outbox.make_calls()
    assert not OutboxCall.objects.exists()


def test_the_server_hears_of_a_suspension(
    elsa: Caller, in_command: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert elsa.get("/api/session").status_code == 200
    suspend_account(Account.objects.get().pk)
    assert elsa.get("/api/session").status_code == 200
    hear(monkeypatch)
    assert elsa.get("/api/session").json()["code"] == "account_suspended"


def test_the_server_hears_that_it_was_lifted(
    elsa: Caller, in_command: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    account_id = Account.objects.get().pk
    suspend_account(account_id)
    unsuspend_account(account_id)
    hear(monkeypatch)
    assert elsa.get("/api/session").status_code == 200


def test_the_server_hears_of_an_erasure(
    elsa: Caller, in_command: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert elsa.get("/api/session").status_code == 200
    erase_account(Account.objects.get().pk)
    hear(monkeypatch)
    assert elsa.get("/api/session").status_code == 401
    assert not Account.objects.exists()  # the pair has ended, so it makes no new account


@pytest.mark.django_db(transaction=True)
def test_nothing_is_left_for_the_server_when_the_change_is_rolled_back(
    elsa: Caller, in_command: None
) -> None:
    with pytest.raises(ZeroDivisionError), transaction.atomic():
        suspend_account(Account.objects.get().pk)
        assert OutboxCall.objects.exists()
        raise ZeroDivisionError
    assert not OutboxCall.objects.exists()


def test_arguments_are_sealed(elsa: Caller, in_command: None) -> None:
    account_id = Account.objects.get().pk
    suspend_account(account_id)
    rows = list(OutboxCall.objects.all())
    assert rows
    assert not any(b"session" in bytes(row.arguments) for row in rows)


def test_a_call_that_fails_or_is_unknown_holds_up_no_other(
    elsa: Caller, in_command: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    OutboxCall.objects.create(function="no.such.function", arguments=b"x")

    @outbox.called_in_server
    def fail() -> None:
        raise ZeroDivisionError

    fail()
    suspend_account(Account.objects.get().pk)
    hear(monkeypatch)
    assert elsa.get("/api/session").json()["code"] == "account_suspended"


def test_what_no_server_takes_is_deleted_after_an_hour(elsa: Caller, in_command: None) -> None:
    suspend_account(Account.objects.get().pk)
    assert outbox.purge_outbox().expired == 0
    OutboxCall.objects.update(created_at=timezone.now() - timedelta(hours=2))
    count = OutboxCall.objects.count()
    assert outbox.purge_outbox(dry_run=True).expired == count > 0
    assert outbox.purge_outbox().expired == count
    assert not OutboxCall.objects.exists()


def test_a_server_leaves_nothing_in_the_outbox(elsa: Caller) -> None:
    suspend_account(Account.objects.get().pk)
    erase_account(Account.objects.get().pk)
    assert not OutboxCall.objects.exists()
