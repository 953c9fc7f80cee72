"""Invites into groups. Only friends of the admin become members without one."""

from django.db import models
from django.db.models import Q

from accounts.identifiers import new_id
from accounts.models import Account
from social.models.conversations import Conversation


class Invite(models.Model):
    """Open (`pending`) until it is answered or withdrawn; one open invite per person and group."""

    PENDING = "pending"
    ACCEPTED = "accepted"
    DECLINED = "declined"
    WITHDRAWN = "withdrawn"

    id = models.UUIDField(primary_key=True, default=new_id)
    conversation = models.ForeignKey(Conversation, on_delete=models.CASCADE, related_name="invites")
    invited = models.ForeignKey(Account, on_delete=models.CASCADE, related_name="invites")
    invited_by = models.ForeignKey(Account, on_delete=models.CASCADE, related_name="invites_sent")
    status = models.CharField(max_length=9, default=PENDING)
    invited_at = models.DateTimeField(auto_now_add=True)
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["conversation", "invited"],
                condition=Q(status="pending"),
                name="one_open_invite_a_person",
            ),
            models.CheckConstraint(
                condition=Q(status__in=["pending", "accepted", "declined", "withdrawn"]),
                name="invite_status_is_known",
            ),
        ]

    def __str__(self) -> str:
        return f"invite {self.pk}"
