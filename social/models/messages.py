"""Messages."""

import re
from uuid import UUID

from django.db import models

from accounts.models import Account
from social.models.conversations import Conversation

_NUMBER = re.compile(r"[1-9][0-9]{0,17}")


class Message(models.Model):
    """One message, numbered by its conversation. Its public id is made of that and `seq`.

    `content` is the text, or in an encrypted conversation the base64 that the client sent, which
    nobody here opens. A quote is the number of another message, a share card what its builder
    made. A deleted message keeps its place and loses `content`, `iv`, card, quote and reactions.
    A hidden one keeps its content, for those who must judge it, and is shown as a deleted one.
    """

    id = models.BigAutoField(primary_key=True)
    conversation = models.ForeignKey(
        Conversation, on_delete=models.CASCADE, related_name="messages", db_index=False
    )
    seq = models.BigIntegerField()
    # Of its last change.
    revision = models.BigIntegerField()
    # Null once the account is erased.
    sender = models.ForeignKey(
        Account, on_delete=models.SET_NULL, null=True, related_name="messages", db_index=False
    )
    # What makes a repeated send the same message; the hash tells whether it said the same.
    client_id = models.CharField(max_length=64, null=True)
    sent_hash = models.CharField(max_length=64, blank=True)
    content = models.TextField(blank=True)
    # Where the client sent it apart; which are spent is in `SpentIv`.
    iv = models.CharField(max_length=16, null=True)
    epoch = models.BigIntegerField(null=True)
    reply_to_seq = models.BigIntegerField(null=True)
    share_card = models.JSONField(null=True)
    pinned = models.BooleanField(default=False)
    edited_at = models.DateTimeField(null=True)
    deleted_at = models.DateTimeField(null=True)
    hidden_at = models.DateTimeField(null=True)
    created_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["conversation", "seq"], name="one_message_a_number"),
            models.UniqueConstraint(
                fields=["sender", "conversation", "client_id"], name="one_message_a_client_id"
            ),
        ]
        indexes = [
            models.Index(fields=["conversation", "revision"], name="message_changes"),
            models.Index(
                fields=["conversation", "seq"], condition=models.Q(pinned=True), name="message_pins"
            ),
        ]

    def __str__(self) -> str:
        return f"message {self.seq} of {self.conversation_id}"

    @property
    def public_id(self) -> str:
        return public_id(self.conversation_id, self.seq)

    @property
    def is_gone(self) -> bool:
        """Only its place is left to be seen."""
        return self.deleted_at is not None or self.hidden_at is not None


def public_id(conversation_id: UUID, seq: int) -> str:
    """What clients call the message with this number."""
    return f"{conversation_id.hex}-{seq}"


def seq_of(message_id: str, conversation_id: UUID) -> int | None:
    """The number that a public id names; None where it is no id, or of another conversation."""
    name, _, number = message_id.partition("-")
    if name != conversation_id.hex or not _NUMBER.fullmatch(number):
        return None
    return int(number)
