"""Deleting old staff sessions and failed staff sign-ins."""

from datetime import timedelta

from axes.models import AccessAttempt
from django.contrib.sessions.models import Session
from django.utils import timezone

from accounts.contribution_types import Progress, Purged

ATTEMPTS_KEPT = timedelta(days=30)


def purge_staff_sign_ins(*, dry_run: bool = False, progress: Progress = lambda _: None) -> Purged:
    """Delete expired staff sessions, and failed sign-ins that are older than 30 days."""
    now = timezone.now()
    rows = (
        Session.objects.filter(expire_date__lt=now),
        AccessAttempt.objects.filter(attempt_time__lt=now - ATTEMPTS_KEPT),
    )
    found = Purged(noun="old staff sessions and failed sign-ins", done="deleted")
    for expired in rows:
        count = expired.count() if dry_run else expired.delete()[0]
        found.seen += count
        found.expired += count
    progress(found)
    return found
