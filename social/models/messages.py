import re
from typing import Any
from uuid import UUID

from django.db import models

from accounts.models import Account
from accounts.name_comparison import search_key_of
from social.models.conversations import Conversation

_NUMBER = re.compile(r"[1-9][0-9]{0,17}")
# The parts of a share card that readers see.
CARD_TEXTS = ("title", "assignmentTitle", "subjectName", "grade", "fullContent")
# What is left in these fields when a message is deleted, by a person, an erasure or retention. Its
# reactions are deleted too; its number, sender and other times stay.
TOMBSTONE: dict[str, Any] = {
    "content": "",
    "search_key": "",
    "iv": None,
    "share_card": None,
    "reply_to_seq": None,
    "pinned": False,
    "edited_at": None,
}


# Deleted or hidden messages are unread for nobody.
NEVER_UNREAD = models.Q(deleted_at__isnull=False) | models.Q(hidden_at__isnull=False)


class Message(models.Model):
    """One message, numbered by its conversation. Its public id is made of that and `seq`.

    `content` is the text, or in an encrypted conversation the base64 that the client sent, which
    the server cannot read. A quote is the number of another message, a share card the JSON that
    its builder returned. A deleted message becomes a `TOMBSTONE`. A hidden one keeps its content,
    as evidence, and is shown as a deleted one.
    """

    id = models.BigAutoField(primary_key=True)
    conversation = models.ForeignKey(
        Conversation, on_delete=models.CASCADE, related_name="messages", db_index=False
    )
    seq = models.BigIntegerField()
    # The conversation's, at the last change of this message.
    revision = models.BigIntegerField()
    # Null once the account is erased.
    sender = models.ForeignKey(
        Account, on_delete=models.SET_NULL, null=True, related_name="messages", db_index=False
    )
    # The client's idempotency key; the hash tells whether a repeated send has the same content.
    client_id = models.CharField(max_length=64, null=True)
    sent_hash = models.CharField(max_length=64, blank=True)
    content = models.TextField(blank=True)
    # `shown_text` as search compares it; empty where only clients read it, and once it is gone.
    # Null only in rows from before 2026.2.
    search_key = models.TextField(null=True)
    # Null where it is part of `content`. `SpentIv` has all that were used.
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

    @property
    def public_id(self) -> str:
        return public_id(self.conversation_id, self.seq)

    @property
    def is_gone(self) -> bool:
        """Whether it was deleted, or hidden by staff: readers see a tombstone."""
        return self.deleted_at is not None or self.hidden_at is not None

    @property
    def shown_text(self) -> str:
        """The text that readers see, with that of a share card."""
        card: dict[str, Any] = self.share_card or {}
        texts = [card.get(name) for name in CARD_TEXTS] + [
            None if card.get("fullContent") else card.get("preview")
        ]
        return "\n".join(filter(None, [self.content, *texts]))

    def set_search_key(self) -> None:
        """Make it be found by its present text, without saving."""
        encrypted = self.conversation.encrypted
        self.search_key = "" if encrypted or self.deleted_at else search_key_of(self.shown_text)

    def empty(self) -> None:
        """Make it a tombstone, without saving."""
        for field, value in TOMBSTONE.items():
            setattr(self, field, value)


class Reaction(models.Model):
    """One person's emoji under a message; a row each, so that concurrent ones do not conflict."""

    message = models.ForeignKey(Message, on_delete=models.CASCADE, related_name="reactions")
    account = models.ForeignKey(Account, on_delete=models.CASCADE, related_name="reactions")
    emoji = models.CharField(max_length=64)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["message", "account", "emoji"], name="one_reaction_a_person_and_emoji"
            )
        ]


class Mention(models.Model):
    """A member whom a message names, by account: shown by the public name that they have now."""

    message = models.ForeignKey(Message, on_delete=models.CASCADE, related_name="mentions")
    account = models.ForeignKey(Account, on_delete=models.CASCADE, related_name="mentions")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["message", "account"], name="one_mention_a_person")
        ]


class SpentIv(models.Model):
    """One IV that a sender has used in a conversation; the row stays when its message is edited or
    deleted, because reusing an IV with the same key reveals both texts. An IV is random and says
    nothing about the text.
    """

    conversation = models.ForeignKey(
        Conversation, on_delete=models.CASCADE, related_name="spent_ivs", db_index=False
    )
    sender = models.ForeignKey(Account, on_delete=models.CASCADE, related_name="spent_ivs")
    iv = models.CharField(max_length=16)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["conversation", "sender", "iv"], name="no_iv_twice")
        ]


def public_id(conversation_id: UUID, seq: int) -> str:
    """The id by which clients know the message with this number."""
    return f"{conversation_id.hex}-{seq}"


def seq_of(message_id: str, conversation_id: UUID) -> int | None:
    """The `seq` in a public id; None for no valid id, or one of another conversation."""
    name, _, number = message_id.partition("-")
    if name != conversation_id.hex or not _NUMBER.fullmatch(number):
        return None
    return int(number)
