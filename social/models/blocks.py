from django.db import models

from accounts.models import Account


class Block(models.Model):
    """One person blocks another. It affects both."""

    blocker = models.ForeignKey(Account, on_delete=models.CASCADE, related_name="blocks_made")
    blocked = models.ForeignKey(Account, on_delete=models.CASCADE, related_name="blocks_met")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["blocker", "blocked"], name="one_block_each_way"),
            models.CheckConstraint(
                condition=~models.Q(blocker=models.F("blocked")), name="nobody_blocks_themselves"
            ),
        ]

    def __str__(self) -> str:
        return f"block of account {self.blocked_id} by {self.blocker_id}"
