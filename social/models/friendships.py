from typing import Self
from uuid import uuid4

from django.db import models
from django.db.models import Q

from accounts.models import Account


class FriendshipQuerySet(models.QuerySet["Friendship"]):
    def of(self, account_id: int) -> Self:
        return self.filter(Q(low=account_id) | Q(high=account_id))

    def between(self, a: int, b: int) -> Self:
        return self.filter(low=min(a, b), high=max(a, b))


class Friendship(models.Model):
    """One row per pair, whoever sent the request: `low` has the smaller account id, so that two
    requests in opposite directions violate one constraint. Withdrawn requests are deleted.

    The row of a friendship that has ended stays until retention deletes it: `ended_at` says since
    when a message of a pupil counts as asking an adult for an answer. Clients never see it.
    """

    PENDING = "pending"
    ACCEPTED = "accepted"
    DECLINED = "declined"
    ENDED = "ended"
    OPEN = (PENDING, ACCEPTED)

    id = models.UUIDField(primary_key=True, default=uuid4)
    low = models.ForeignKey(Account, on_delete=models.CASCADE, related_name="friendships_low")
    high = models.ForeignKey(Account, on_delete=models.CASCADE, related_name="friendships_high")
    requested_by = models.ForeignKey(Account, on_delete=models.CASCADE, related_name="+")
    status = models.CharField(max_length=8, default=PENDING)
    created_at = models.DateTimeField(auto_now_add=True)
    updated_at = models.DateTimeField(auto_now=True)
    # When their last friendship ended, whatever the status is since.
    ended_at = models.DateTimeField(null=True)

    objects = FriendshipQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["low", "high"], name="one_friendship_a_pair"),
            models.CheckConstraint(
                condition=Q(low__lt=models.F("high")), name="friendship_pair_is_ordered"
            ),
            models.CheckConstraint(
                condition=Q(requested_by=models.F("low")) | Q(requested_by=models.F("high")),
                name="friendship_was_asked_by_one_of_the_pair",
            ),
            models.CheckConstraint(
                condition=Q(status__in=["pending", "accepted", "declined", "ended"]),
                name="friendship_status_is_known",
            ),
        ]

    def other(self, account_id: int) -> int:
        """The account on the other side."""
        return self.high_id if account_id == self.low_id else self.low_id
