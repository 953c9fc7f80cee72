from datetime import timedelta

from django.db import models
from django.utils import timezone

from stats.limits import PUBLISHED_SECONDS


class Counter(models.Model):
    """How often a fact happened, ever. `name` is one of `facts.py`."""

    name = models.CharField(max_length=40, unique=True)
    value = models.BigIntegerField(default=0)


class Bucket(models.Model):
    """One bucket of a histogram.

    `contributors` holds keyed hashes of at most nine accounts. With the tenth account `enough` is
    set and the list emptied. The hashes of an account differ between buckets.
    """

    histogram = models.CharField(max_length=20)
    bucket = models.CharField(max_length=64)
    value = models.BigIntegerField(default=0)
    contributors = models.JSONField(default=list)
    enough = models.BooleanField(default=False)

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("histogram", "bucket"), name="stats_one_row_a_bucket"),
        )


class Publication(models.Model):
    """The totals as they were published last, in the one row of this table."""

    id = models.PositiveSmallIntegerField(primary_key=True)
    published_at = models.DateTimeField(null=True)
    totals = models.JSONField(default=dict)

    @property
    def is_current(self) -> bool:
        if self.published_at is None:
            return False
        age = timezone.now() - self.published_at
        return timedelta(0) <= age < timedelta(seconds=PUBLISHED_SECONDS)
