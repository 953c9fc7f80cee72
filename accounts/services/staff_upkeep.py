"""Forgetting what staff's sign-ins leave behind. One of `PURGES`."""

from collections.abc import Callable
from datetime import timedelta

from axes.models import AccessAttempt
from django.contrib.sessions.models import Session
from django.utils import timezone

from accounts.services.retention import Purged

ATTEMPTS_KEPT = timedelta(days=30)


def purge_staff_sign_ins(
    *, dry_run: bool = False, progress: Callable[[Purged], None] = lambda _: None
) -> Purged:
    """Delete staff sessions that are over, and failed sign-ins of more than 30 days ago."""
    now = timezone.now()
    rows = (
        Session.objects.filter(expire_date__lt=now),
        AccessAttempt.objects.filter(attempt_time__lt=now - ATTEMPTS_KEPT),
    )
    found = Purged(noun="traces of staff sign-ins", done="deleted")
    for over in rows:
        count = over.count() if dry_run else over.delete()[0]
        found.seen += count
        found.expired += count
    progress(found)
    return found
