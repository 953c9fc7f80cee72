from typing import Any, Self

from django.db import models
from django.db.models import Q
from django.utils import timezone

from accounts.models import Account


class BlockQuerySet(models.QuerySet["Block"]):
    def between(self, a: Any, b: Any) -> Self:
        """Those of two people, whoever blocked whom: their ids, or expressions for these."""
        return self.filter(Q(blocker=a, blocked=b) | Q(blocker=b, blocked=a))


class Block(models.Model):
    """One person blocks another. It affects both."""

    blocker = models.ForeignKey(Account, on_delete=models.CASCADE, related_name="blocks_made")
    blocked = models.ForeignKey(Account, on_delete=models.CASCADE, related_name="blocks_met")
    created_at = models.DateTimeField(default=timezone.now)

    objects = BlockQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["blocker", "blocked"], name="one_block_each_way"),
            models.CheckConstraint(
                condition=~Q(blocker=models.F("blocked")), name="nobody_blocks_themselves"
            ),
        ]


class KeptBlock(models.Model):
    """A block of a person whose account was erased. It becomes a `Block` again when the person
    signs in."""

    blocker = models.ForeignKey(Account, on_delete=models.CASCADE, related_name="kept_blocks")
    person_hash = models.CharField(max_length=64, db_index=True)
    created_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["blocker", "person_hash"], name="one_kept_block_each"),
        ]
