"""Deleting expired session records."""

from datetime import timedelta

from django.utils import timezone

from accounts.encryption import SecretUnreadable
from accounts.limits import WEB_SESSION_KEPT_SECONDS
from accounts.models import EndedCookiePair, ServiceSession
from accounts.purging import Purged, purge_rows
from accounts.services.ended_sessions import end_record

BATCH = 500


def purge_expired_sessions(dry_run: bool = False) -> Purged:
    """End the sessions whose token has expired, and delete the hashes of cookie pairs that were
    replaced so long ago that upstream has forgotten them.

    The expiry is encrypted, so every record is read, in batches by primary key. A record that no
    key opens is kept and counted: its key may come back. Safe to run twice and at the same time.
    """
    found = Purged(noun="sessions", done="ended")
    now = timezone.now()
    after = ""
    while batch := list(
        ServiceSession.objects.without_secrets().filter(pk__gt=after).order_by("pk")[:BATCH]
    ):
        after = batch[-1].pk
        for record in batch:
            found.seen += 1
            try:
                expired = not record.seconds_left(now)
            except (SecretUnreadable, ValueError):
                found.unreadable += 1
                continue
            found.expired += expired
            if expired and not dry_run:
                end_record(record.pk, reason="expired")
    if not dry_run:
        forgotten = now - timedelta(seconds=WEB_SESSION_KEPT_SECONDS)
        ServiceSession.objects.filter(previous_pair_until__lt=forgotten).update(
            previous_pair_hash=None, previous_pair_until=None
        )
    return found


def purge_ended_pairs(dry_run: bool = False) -> Purged:
    """Forget the ended cookie pairs that upstream has forgotten, too."""
    old = EndedCookiePair.objects.filter(until__lt=timezone.now())
    return purge_rows(old, "ended cookie pairs", dry_run=dry_run)
