from django.db import models


class Counter(models.Model):
    """How often something happened, ever. `name` is a fact of `names.py`."""

    name = models.CharField(max_length=40, unique=True)
    value = models.BigIntegerField(default=0)

    def __str__(self) -> str:
        return f"{self.name}: {self.value}"


class Bucket(models.Model):
    """One bar of a histogram.

    `contributors` holds salted hashes of at most nine accounts, only until ten have contributed;
    then `enough` is set and the list is dropped. A hash means nothing outside its own bucket.
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

    def __str__(self) -> str:
        return f"{self.histogram} {self.bucket}: {self.value}"
