"""What has to be done about the tables now and then, whether anybody signs in or not."""

from dataclasses import dataclass
from datetime import timedelta

from django.db.models import QuerySet
from django.utils import timezone

from stats.counters import flush
from stats.models import Bucket, Counter
from stats.writing import past_dates_with_contributors


@dataclass(frozen=True, slots=True)
class Kept:
    """What the tables hold; `forgotten` lists of contributors were dropped, or would be."""

    written: bool
    totals: int
    shown: int
    folded: int
    forgotten: int


def tidy(*, dry_run: bool = False) -> Kept:
    """Write what this process has counted, and forget who contributed to past dates.

    Serving processes write their own counts every two seconds; nobody else can do it for them.
    Safe at any time, also twice at once.
    """
    written = True if dry_run else flush()
    past = _past()
    forgotten = past.count() if dry_run else past.update(contributors=[])
    buckets = Bucket.objects.count()
    shown = Bucket.objects.filter(enough=True).count()
    return Kept(written, Counter.objects.count(), shown, buckets - shown, forgotten)


def _past() -> QuerySet[Bucket]:
    yesterday = timezone.localdate() - timedelta(days=1)
    return past_dates_with_contributors(before=yesterday)
