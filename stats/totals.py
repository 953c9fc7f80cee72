"""The tables of counters: add to them, and publish the totals."""

import hmac
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, timedelta
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import F, QuerySet
from django.utils import timezone

from stats.facts import HISTOGRAMS, OTHER, TOTALS, BucketKey, Fact
from stats.limits import MIN_ACCOUNTS
from stats.models import Bucket, Counter, Publication


@dataclass(slots=True)
class BucketDelta:
    """An addition to one bucket, with up to ten of the accounts that contributed."""

    value: int = 0
    accounts: set[int] = field(default_factory=set)

    def add(self, value: int, accounts: set[int]) -> None:
        self.value += value
        for account in accounts:
            if len(self.accounts) >= MIN_ACCOUNTS:
                return
            self.accounts.add(account)


@transaction.atomic
def add_to_totals(totals: Mapping[Fact, int], buckets: Mapping[BucketKey, BucketDelta]) -> None:
    """Add to the tables, all or nothing. Raises: whatever the database raises."""
    # Rows are locked in sorted order, so that two processes cannot deadlock.
    for name in sorted(totals):
        _add_to_counter(name, totals[name])
    for key in sorted(buckets):
        _add_to_bucket(key, buckets[key])


def _add_to_counter(name: Fact, value: int) -> None:
    row = Counter.objects.filter(name=name)
    if not row.update(value=F("value") + value):
        # Another process may insert the same row now; both then add to it.
        Counter.objects.bulk_create([Counter(name=name)], ignore_conflicts=True)
        row.update(value=F("value") + value)


def _add_to_bucket(key: BucketKey, delta: BucketDelta) -> None:
    histogram, bucket = key
    row = Bucket.objects.filter(histogram=histogram, bucket=bucket)
    if not row.update(value=F("value") + delta.value):
        Bucket.objects.bulk_create(
            [Bucket(histogram=histogram, bucket=bucket)], ignore_conflicts=True
        )
        row.update(value=F("value") + delta.value)
        if histogram == "peakDates":
            past_dates(today=date.fromisoformat(bucket)).update(contributors=[])
    if delta.accounts:
        _add_contributors(key, delta.accounts)


def _add_contributors(key: BucketKey, accounts: set[int]) -> None:
    # The update before this has locked the row until the end of the transaction.
    row = Bucket.objects.get(histogram=key[0], bucket=key[1])
    if row.enough:
        return
    hashes = set(row.contributors) | {contributor_hash(key, account) for account in accounts}
    row.enough = len(hashes) >= MIN_ACCOUNTS
    row.contributors = [] if row.enough else sorted(hashes)
    row.save(update_fields=["contributors", "enough"])


def contributor_hash(key: BucketKey, account: int) -> str:
    """16 hex digits: the same for an account within one bucket, different in every other."""
    text = "\0".join((*key, str(account)))
    return hmac.digest(settings.SECRET_KEY.encode(), text.encode(), "sha256").hex()[:16]


def past_dates(*, today: date) -> QuerySet[Bucket]:
    """Buckets of dates before yesterday that still have contributors. A slow process may still
    add to yesterday."""
    yesterday = today - timedelta(days=1)
    dates = Bucket.objects.filter(histogram="peakDates", bucket__lt=yesterday.isoformat())
    return dates.exclude(contributors=[])


def read_totals() -> dict[str, Any]:
    """The fields of the public answer as they are now: field -> number, histogram -> {bucket:
    number}. A bucket of fewer than ten accounts is suppressed: its number is part of "other"."""
    values = dict(Counter.objects.values_list("name", "value"))
    rows: dict[str, list[Bucket]] = {name: [] for name in HISTOGRAMS}
    for row in Bucket.objects.defer("contributors").order_by("histogram", "bucket"):
        rows[row.histogram].append(row)
    histograms = {name: _suppress(buckets) for name, buckets in rows.items()}
    return {field: values.get(fact, 0) for field, fact in TOTALS.items()} | histograms


def _suppress(buckets: list[Bucket]) -> dict[str, int]:
    """The public part of one histogram. "other" never stands for a single bucket, unless there is
    only one: the smallest of the others is suppressed with it."""
    hidden = [row for row in buckets if not row.enough]
    shown = [row for row in buckets if row.enough]
    if len(hidden) == 1 and shown:
        smallest = min(shown, key=lambda row: row.value)
        shown.remove(smallest)
        hidden.append(smallest)
    public = {row.bucket: row.value for row in shown}
    return public | ({OTHER: sum(row.value for row in hidden)} if hidden else {})


def published_totals() -> dict[str, Any]:
    """The totals that everybody sees. They change at most every 15 minutes, in all processes at
    once: whoever watches them cannot tell when somebody signed in."""
    latest = Publication.objects.filter(pk=1).first()
    if latest is None or not latest.is_current:
        latest = _publish()
    totals: dict[str, Any] = latest.totals
    return totals


@transaction.atomic
def _publish() -> Publication:
    """Publish the totals as they are now. Of several callers at once, one does."""
    Publication.objects.bulk_create([Publication(pk=1)], ignore_conflicts=True)
    latest = Publication.objects.select_for_update().get(pk=1)
    if not latest.is_current:
        latest.totals, latest.published_at = read_totals(), timezone.now()
        latest.save()
    return latest
