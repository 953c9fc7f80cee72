"""What somebody has declined, and until when they are not asked again."""

from django.db import models
from django.db.models import Q

from social.models.conversations import Conversation


class Refusal(models.Model):
    """Somebody declined a friend request or an invite, and is left alone until a time.

    `request`: `asked_by` sends them no friend request. `invite`: `asked_by` invites them into no
    group. `group`: nobody invites them into the conversation.

    People are keyed hashes (`accounts.person_hash`) and not accounts, so that neither of the two
    ends a refusal by erasing the account.
    """

    REQUEST = "request"
    INVITE = "invite"
    GROUP = "group"

    kind = models.CharField(max_length=7)
    declined_by = models.CharField(max_length=64, db_index=True)
    asked_by = models.CharField(max_length=64, db_index=True)
    # Of a group only.
    conversation = models.ForeignKey(
        Conversation, on_delete=models.CASCADE, null=True, related_name="+"
    )
    until = models.DateTimeField(db_index=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(kind="group", conversation__isnull=False)
                | Q(kind__in=["request", "invite"], conversation=None),
                name="refusal_is_of_a_person_or_a_group",
            ),
        ]
