"""Warning a person, and reading one's own warnings."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

from django.utils import timezone

from accounts.models import AccountWarning
from accounts.services.retention import Purged
from accounts.timestamps import milliseconds

KEPT = timedelta(days=183)


def warn_account(account_id: int, *, reason: str) -> None:
    """Tell a person that staff found fault with what they did; `reason` is that of the report."""
    AccountWarning.objects.create(account_id=account_id, reason=reason)


def warnings_of(account_id: int) -> list[dict[str, Any]]:
    """A person's own warnings of the last half year, the newest first."""
    rows = AccountWarning.objects.filter(
        account_id=account_id, created_at__gt=timezone.now() - KEPT
    ).order_by("-created_at", "-pk")
    return [{"reason": row.reason, "createdAt": milliseconds(row.created_at)} for row in rows]


def purge_warnings(
    *, dry_run: bool = False, progress: Callable[[Purged], None] = lambda _: None
) -> Purged:
    """Delete the warnings of more than half a year ago. One of `PURGES`."""
    over = AccountWarning.objects.filter(created_at__lte=timezone.now() - KEPT)
    count = over.count() if dry_run else over.delete()[0]
    found = Purged(noun="old warnings", done="deleted", seen=count, expired=count)
    progress(found)
    return found
