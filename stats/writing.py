"""Additions into the tables: one transaction, safe from many processes at once."""

import hmac
from datetime import date, timedelta

from django.conf import settings
from django.db import transaction
from django.db.models import F, QuerySet

from stats.facts import Fact, Histogram
from stats.limits import MIN_ACCOUNTS
from stats.models import Bucket, Counter
from stats.pending import BucketDelta, Pending


@transaction.atomic
def write(pending: Pending) -> None:
    """Add `pending` to the tables. Raises what the database raises; then nothing was added.

    Rows are touched in sorted order, so that two processes never wait for each other in a ring.
    """
    for name in sorted(pending.totals):
        _add_to_counter(name, pending.totals[name])
    for key in sorted(pending.buckets):
        _add_to_bucket(key, pending.buckets[key])


def _add_to_counter(name: Fact, value: int) -> None:
    row = Counter.objects.filter(name=name)
    if not row.update(value=F("value") + value):
        # Another process may be making the same row: whoever is second adds to the first one's.
        Counter.objects.bulk_create([Counter(name=name)], ignore_conflicts=True)
        row.update(value=F("value") + value)


def _add_to_bucket(key: tuple[Histogram, str], delta: BucketDelta) -> None:
    histogram, bucket = key
    row = Bucket.objects.filter(histogram=histogram, bucket=bucket)
    if not row.update(value=F("value") + delta.value):
        Bucket.objects.bulk_create(
            [Bucket(histogram=histogram, bucket=bucket)], ignore_conflicts=True
        )
        row.update(value=F("value") + delta.value)
        if histogram == "peakDates":
            _forget_contributors_before(bucket)
    if delta.accounts:
        _add_contributors(key, delta.accounts)


def _add_contributors(key: tuple[Histogram, str], accounts: set[int]) -> None:
    # The update before this one locked the row until the end of the transaction.
    row = Bucket.objects.get(histogram=key[0], bucket=key[1])
    if row.enough:
        return
    known = set(row.contributors) | {contributor_hash(key, account) for account in accounts}
    row.enough = len(known) >= MIN_ACCOUNTS
    row.contributors = [] if row.enough else sorted(known)
    row.save(update_fields=["contributors", "enough"])


def _forget_contributors_before(day: str) -> None:
    """Nobody contributes to a past date any more (a day's grace for late writers)."""
    past_dates_with_contributors(before=date.fromisoformat(day) - timedelta(days=1)).update(
        contributors=[]
    )


def past_dates_with_contributors(*, before: date) -> QuerySet[Bucket]:
    """Bars of earlier dates that still know who contributed."""
    dates = Bucket.objects.filter(histogram="peakDates", bucket__lt=before.isoformat())
    return dates.exclude(contributors=[])


def contributor_hash(key: tuple[Histogram, str], account: int) -> str:
    """16 hex digits that say "the same account" inside one bucket and nothing elsewhere."""
    text = "\0".join((*key, str(account)))
    return hmac.digest(settings.SECRET_KEY.encode(), text.encode(), "sha256").hex()[:16]
