"""Deleting what is over."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta

from django.db.models import TextField
from django.db.models.functions import Cast
from django.utils import timezone

from accounts.encryption import SecretUnreadable
from accounts.models import ServiceSession
from accounts.models.service_sessions import SECRETS
from accounts.services.session_records import end_record

BATCH = 500
# No web session lives longer, so a logout need not end an older pair.
WEB_SESSION = timedelta(hours=1)


@dataclass(slots=True)
class Purged:
    """What a sweep found: records looked at, over (deleted), and readable by no key (kept).

    `noun` and `done` are the words for it: so many `sessions` were looked at and `ended`.
    """

    noun: str = "sessions"
    done: str = "ended"
    seen: int = 0
    expired: int = 0
    unreadable: int = 0


def purge_expired(
    *, dry_run: bool = False, progress: Callable[[Purged], None] = lambda _: None
) -> Purged:
    """End the sessions whose token is over, and forget cookie pairs replaced an hour ago.

    The expiry is encrypted, so every record is read, in batches by primary key. A record that no
    key opens is kept and counted: its key may come back. Safe to run twice and at the same time.
    """
    found = Purged()
    now = timezone.now()
    after = ""
    while batch := list(
        ServiceSession.objects.select_related("account")
        .defer(*SECRETS)
        .annotate(expiry_ciphertext=Cast("token_expires_at", TextField()))
        .filter(pk__gt=after)
        .order_by("pk")[:BATCH]
    ):
        after = batch[-1].pk
        for record in batch:
            found.seen += 1
            try:
                record.reveal("token_expires_at", record.expiry_ciphertext)
                over = not record.seconds_left(now)
            except (SecretUnreadable, ValueError):
                found.unreadable += 1
                continue
            found.expired += over
            if over and not dry_run:
                end_record(record, reason="expired")
        progress(found)
    if not dry_run:
        ServiceSession.objects.filter(previous_pair_until__lt=now - WEB_SESSION).update(
            previous_pair_hash=None, previous_pair_until=None
        )
    return found
