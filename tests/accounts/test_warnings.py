"""Warnings: only the person sees them, and they are deleted after half a year."""

from datetime import timedelta

from django.core.management import call_command
from django.utils import timezone

from accounts.models import Account, AccountWarning
from accounts.services.warnings import RETENTION, purge_warnings, warn_account
from tests.conftest import Caller


def test_it_is_deleted_after_half_a_year(elsa: Caller) -> None:
    account_id = Account.objects.get().pk
    for reason in ("spam", "threat"):
        warn_account(account_id, reason=reason)
    long_ago = timezone.now() - RETENTION - timedelta(minutes=1)
    AccountWarning.objects.filter(reason="spam").update(created_at=long_ago)
    assert [one["reason"] for one in elsa.get("/api/profile").json()["profile"]["warnings"]] == [
        "threat"
    ]
    assert purge_warnings(dry_run=True).expired == 1
    assert AccountWarning.objects.count() == 2
    call_command("purge_expired")
    assert AccountWarning.objects.get().reason == "threat"
