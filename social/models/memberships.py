"""Who is in a conversation, and how far they have read."""

from django.db import models

from accounts.models import Account
from social.models.conversations import Conversation


class Membership(models.Model):
    """One person in one conversation; the row is deleted when they leave.

    They can read messages with `seq > joined_seq`. `not_counted` is how many of the messages after
    `last_read_seq` are not unread, because they are their own, deleted, hidden or no longer
    there. So the unread count is `last_seq - last_read_seq - not_counted`, and no rows are counted.
    """

    conversation = models.ForeignKey(
        Conversation, on_delete=models.CASCADE, related_name="memberships", db_index=False
    )
    account = models.ForeignKey(Account, on_delete=models.CASCADE, related_name="memberships")
    joined_seq = models.BigIntegerField(default=0)
    joined_at = models.DateTimeField()
    last_read_seq = models.BigIntegerField(default=0)
    not_counted = models.IntegerField(default=0, db_column="own_unread")

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["conversation", "account"], name="one_membership_a_person"
            )
        ]

    def __str__(self) -> str:
        return f"account {self.account_id} in {self.conversation_id}"
