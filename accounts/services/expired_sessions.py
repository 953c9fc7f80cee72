"""Deleting expired session records."""

from datetime import timedelta

from django.utils import timezone

from accounts.encryption import SecretUnreadable
from accounts.models import ServiceSession
from accounts.purging import Purged
from accounts.services.session_records import end_record

BATCH = 500
# No web session lives longer, so a logout need not end an older cookie pair.
WEB_SESSION = timedelta(hours=1)


def purge_expired_sessions(dry_run: bool = False) -> Purged:
    """End the sessions whose token has expired, and delete the hashes of cookie pairs that were
    replaced more than an hour ago.

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
                end_record(record, reason="expired")
    if not dry_run:
        ServiceSession.objects.filter(previous_pair_until__lt=now - WEB_SESSION).update(
            previous_pair_hash=None, previous_pair_until=None
        )
    return found
