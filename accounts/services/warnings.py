"""Warnings that staff gave to a person."""

from datetime import timedelta
from typing import Any

from django.db import transaction
from django.utils import timezone

from accounts.models import AccountWarning
from accounts.purging import Purged, purge_rows
from accounts.signals import account_warned
from accounts.timestamps import milliseconds

RETENTION = timedelta(days=183)


@transaction.atomic
def warn_account(account_id: int, *, text: str) -> None:
    """Give a person a warning: a moderator's own words, at most 500 characters."""
    warning = AccountWarning.objects.create(account_id=account_id, text=text)
    account_warned.send_robust(AccountWarning, account_id=account_id, warning=warning.public_id)


def warnings_of(account_id: int) -> list[dict[str, Any]]:
    """An account's warnings of the last half year, newest first."""
    rows = AccountWarning.objects.filter(
        account_id=account_id, created_at__gt=timezone.now() - RETENTION
    ).order_by("-created_at", "-pk")
    return [
        {"id": row.public_id.hex, "text": row.text, "createdAt": milliseconds(row.created_at)}
        for row in rows
    ]


def purge_warnings(dry_run: bool = False) -> Purged:
    """Delete warnings that are older than half a year."""
    expired = AccountWarning.objects.filter(created_at__lte=timezone.now() - RETENTION)
    return purge_rows(expired, "old warnings", dry_run=dry_run)
