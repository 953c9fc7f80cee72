"""Blocks, friendships, conversations and messages in an import file."""

from collections.abc import Iterator, Mapping
from typing import Any

from django.utils.translation import gettext_lazy as _
from rest_framework import serializers

from accounts.api.fields import LineField, NameField, TextField, TrueOrFalseField
from accounts.api.imports import ImportSerializer, PastField, ReferenceField
from accounts.emoji import is_emoji
from accounts.import_types import ImportKind, Reference
from social.api.messages.fields import IV, ContentField
from social.limits import DIFFERENT_EMOJI, MAX_MEMBERS
from social.models import Conversation, Friendship
from social.services.imports.blocks import save_blocks
from social.services.imports.conversations import save_conversations
from social.services.imports.friendships import save_friendships
from social.services.imports.messages import save_messages

Fields = Mapping[str, Any]


class BlockImportSerializer(ImportSerializer):
    blocker = ReferenceField()
    blocked = ReferenceField()
    createdAt = PastField()


class FriendshipImportSerializer(ImportSerializer):
    userA = ReferenceField()
    userB = ReferenceField()
    requestedBy = ReferenceField()
    status = serializers.ChoiceField([Friendship.ACCEPTED], default=Friendship.ACCEPTED)
    createdAt = PastField()

    def validate(self, fields: dict[str, Any]) -> dict[str, Any]:
        if fields["requestedBy"] not in (fields["userA"], fields["userB"]):
            raise serializers.ValidationError({"requestedBy": [_("This is not one of the two.")]})
        return fields


class ConversationImportSerializer(ImportSerializer):
    """A group if it has a `groupName`, else a direct conversation."""

    participants = serializers.ListField(
        child=ReferenceField(), min_length=1, max_length=MAX_MEMBERS
    )
    groupName = NameField(max_length=80, required=False)
    groupDescription = LineField(max_length=200, required=False, allow_blank=True)
    admin = ReferenceField(required=False)
    encryption = serializers.ChoiceField(
        [Conversation.NONE, Conversation.AES_GCM], default=Conversation.NONE
    )
    createdAt = PastField()

    def validate(self, fields: dict[str, Any]) -> dict[str, Any]:
        people = fields["participants"]
        if len(set(people)) < len(people):
            raise serializers.ValidationError({"participants": [_("Somebody is there twice.")]})
        if "groupName" in fields:
            if fields.get("admin") not in people:
                raise serializers.ValidationError({"admin": [_("This is not a participant.")]})
            return fields
        if len(people) != 2:
            raise serializers.ValidationError(
                {"participants": [_("A direct conversation has two.")]}
            )
        if fields["encryption"] != Conversation.NONE:
            raise serializers.ValidationError({"encryption": [_("Only groups can be encrypted.")]})
        return fields


class ReactionsField(serializers.DictField):
    """Emoji, and the people who reacted with it."""

    def __init__(self, **options: Any) -> None:
        people = serializers.ListField(child=ReferenceField(), max_length=1_000)
        super().__init__(child=people, **options)

    def to_internal_value(self, data: Any) -> Any:
        if isinstance(data, dict) and not all(map(is_emoji, data)):
            raise serializers.ValidationError([_("Exactly one emoji.")])
        if isinstance(data, dict) and len(data) > DIFFERENT_EMOJI:
            raise serializers.ValidationError([_("At most %(most)d.") % {"most": DIFFERENT_EMOJI}])
        return super().to_internal_value(data)


class ReplyImportSerializer(ImportSerializer):
    messageId = ReferenceField()


class MessageImportSerializer(ImportSerializer):
    """As in a request, with who, where and when. Cards are made here, so a file has none."""

    conversation = ReferenceField()
    sender = ReferenceField()
    content = ContentField()
    iv = TextField(required=False, allow_null=True, validators=[IV])
    replyTo = ReplyImportSerializer(source="reply_to", required=False, allow_null=True)
    createdAt = PastField()
    editedAt = PastField(required=False, allow_null=True)
    pinned = TrueOrFalseField(required=False)
    reactions = ReactionsField(required=False)

    def validate_replyTo(self, reply: dict[str, str] | None) -> str | None:  # noqa: N802
        return reply["messageId"] if reply else None

    def validate(self, fields: dict[str, Any]) -> dict[str, Any]:
        edited_at = fields.get("editedAt")
        if edited_at is not None and edited_at < fields["createdAt"]:
            raise serializers.ValidationError({"editedAt": [_("This is before `createdAt`.")]})
        return fields


def _of_block(fields: Fields) -> Iterator[Reference]:
    yield "person", fields["blocker"]
    yield "person", fields["blocked"]


def _of_friendship(fields: Fields) -> Iterator[Reference]:
    yield "person", fields["userA"]
    yield "person", fields["userB"]


def _of_conversation(fields: Fields) -> Iterator[Reference]:
    yield from (("person", each) for each in fields["participants"])


def _of_message(fields: Fields) -> Iterator[Reference]:
    yield "conversation", fields["conversation"]
    yield "person", fields["sender"]
    yield from _optional_of_message(fields)


def _optional_of_message(fields: Fields) -> Iterator[Reference]:
    if fields.get("reply_to") is not None:
        yield "message", fields["reply_to"]
    for people in fields.get("reactions", {}).values():
        yield from (("person", each) for each in people if each != fields["sender"])


BLOCKS = ImportKind(
    name="block", serializer=BlockImportSerializer, save=save_blocks, references=_of_block
)
FRIENDSHIPS = ImportKind(
    name="friendship",
    serializer=FriendshipImportSerializer,
    save=save_friendships,
    references=_of_friendship,
)
CONVERSATIONS = ImportKind(
    name="conversation",
    serializer=ConversationImportSerializer,
    save=save_conversations,
    references=_of_conversation,
    optional=_of_conversation,
)
MESSAGES = ImportKind(
    name="message",
    serializer=MessageImportSerializer,
    save=save_messages,
    references=_of_message,
    optional=_optional_of_message,
    batch=1_000,
)
