"""The JSON of messages in requests and answers."""

from typing import Any

from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import OpenApiParameter, extend_schema_serializer
from rest_framework import serializers
from rest_framework.request import Request

from accounts.api.base import SuccessSerializer, success
from accounts.api.fields import RealNameField, TextField, TrueOrFalseField, UserTypeField
from accounts.api.paging import limit_parameter, read_limit
from accounts.api.variants import Variant, VariantsSerializer
from accounts.errors import InvalidInput
from accounts.invisible_characters import is_blank
from social.api.messages.cards import CardField, ShareCardSerializer
from social.api.messages.fields import IV, ContentField, MentionsField
from social.limits import MENTIONS, MESSAGES_A_PAGE, MESSAGES_A_PAGE_AT_MOST, TEXT_LENGTH
from social.services.messages.read import DIRECTIONS, PageRequest

EXAMPLE: dict[str, Any] = {
    "id": "5f0c2f3a9b1d4e6f8a7b6c5d4e3f2a1b-12",
    "conversationId": "5f0c2f3a9b1d4e6f8a7b6c5d4e3f2a1b",
    "seq": 12,
    "revision": 17,
    "clientId": "c-1",
    "senderUsername": "bo.ek",
    "senderDisplayName": "Bosse",
    "senderUserType": "student",
    "senderRealName": "Bo Ek",
    "content": "Jag tar kalkstenen.",
    "encrypted": False,
    "iv": None,
    "epoch": None,
    "edited": False,
    "editedAt": None,
    "pinned": False,
    "deletedAt": None,
    "createdAt": 1795257000000,
    "reactions": {"👍": ["elsa.nordvall"]},
    "mentions": [],
    "replyTo": {
        "messageId": "5f0c2f3a9b1d4e6f8a7b6c5d4e3f2a1b-11",
        "content": "Vem tar kalkstenen?",
        "senderUsername": "elsa.nordvall",
        "senderDisplayName": "Elsa Nordvall",
        "senderUserType": "student",
        "senderRealName": None,
    },
    "shareCard": None,
}
_BIGGEST = 2**63 - 1


class ReplySerializer(serializers.Serializer[Any]):
    messageId = TextField(max_length=60)


class SendSerializer(serializers.Serializer[Any]):
    needs_body = True
    content = ContentField(
        required=False,
        help_text=(
            f"At most {TEXT_LENGTH} characters, or the base64 of an encrypted message. "
            "It may be left out or empty with a `shareCard`."
        ),
    )
    clientId = TextField(
        source="client_id",
        max_length=64,
        required=False,
        allow_null=True,
        help_text="An idempotency key: a message is sent once for each.",
    )
    iv = TextField(
        required=False,
        allow_null=True,
        validators=[IV],
        help_text="In an encrypted conversation, when `content` does not begin with it.",
    )
    replyTo = ReplySerializer(source="reply_to", required=False, allow_null=True)
    mentions = MentionsField(
        required=False,
        help_text="Members whom an encrypted message names. Not read where the text can be read.",
    )
    shareCard = ShareCardSerializer(source="share_card", required=False, allow_null=True)

    def validate_replyTo(self, reply: dict[str, str] | None) -> str | None:  # noqa: N802
        return reply["messageId"] if reply else None

    def to_internal_value(self, data: Any) -> Any:
        if isinstance(data, dict):
            data = dict(data)
            if "content" not in data and "text" in data:
                data["content"] = data["text"]
            content = data.get("content")
            if data.get("shareCard") is not None and (
                content is None or (isinstance(content, str) and is_blank(content))
            ):
                data.pop("content", None)
        return super().to_internal_value(data)

    def validate(self, fields: dict[str, Any]) -> dict[str, Any]:
        if "content" not in fields and not fields.get("share_card"):
            raise serializers.ValidationError({"content": [_("This field is required.")]})
        return {"content": ""} | fields


@extend_schema_serializer(component_name="Send")
class SendInSchemaSerializer(SendSerializer):
    """What `SendSerializer` reads. Only the schema uses this."""

    text = ContentField(
        required=False, help_text="Another name for `content`, read if there is no `content`."
    )


class MessageChangeSerializer(VariantsSerializer):
    variant_field = "action"
    variants = {  # noqa: RUF012
        "edit": Variant(("content",), ("iv", "mentions")),
        "pin": Variant((), ("pinned",)),
        "unpin": Variant(),
        "react": Variant(("emoji",)),
        "add_reaction": Variant(("emoji",)),
        "remove_reaction": Variant(("emoji",)),
    }
    action = serializers.ChoiceField(choices=list(variants))
    pinned = TrueOrFalseField(
        required=False, help_text="The wanted state. Without it, `pin` unpins a pinned message."
    )
    content = ContentField(required=False)
    iv = TextField(required=False, allow_null=True, validators=[IV], help_text="As in sending.")
    mentions = MentionsField(required=False, help_text="As in sending.")
    emoji = TextField(
        max_length=64,
        trim_whitespace=False,
        required=False,
        help_text="Exactly one. `react` toggles it. Answers have the form that Unicode recommends.",
    )


def _position(name: str, description: str) -> OpenApiParameter:
    return OpenApiParameter(
        name, {"type": "integer", "minimum": 0, "maximum": _BIGGEST}, description=description
    )


PAGE = [
    limit_parameter(default=MESSAGES_A_PAGE, most=MESSAGES_A_PAGE_AT_MOST),
    _position("before", "A `seq`: the messages before it, newest first. This is the default."),
    _position("after", "A `seq`: the messages after it, oldest first."),
    _position(
        "changedAfter",
        "A revision: the messages that changed after it, in the order of the changes.",
    ),
]


def read_page(request: Request) -> PageRequest:
    """The page in the query. Raises: InvalidInput."""
    limit = read_limit(request, default=MESSAGES_A_PAGE, most=MESSAGES_A_PAGE_AT_MOST)
    named = [name for name in DIRECTIONS if name in request.query_params]
    if not named:
        return PageRequest(limit)
    if len(named) > 1:
        raise InvalidInput({name: [_("Give one of these.")] for name in named})
    text = request.query_params[named[0]]
    if not (text.isascii() and text.isdigit() and len(text) < 20 and int(text) <= _BIGGEST):
        raise InvalidInput({named[0]: [_("Give a number.")]})
    return PageRequest(limit, named[0], int(text))


class QuoteSerializer(serializers.Serializer[Any]):
    messageId = serializers.CharField()
    content = serializers.CharField(
        allow_blank=True,
        help_text="The beginning. Empty when encrypted, deleted, or older than you may read.",
    )
    senderUsername = serializers.CharField(allow_blank=True)
    senderDisplayName = serializers.CharField(allow_blank=True)
    senderUserType = UserTypeField(allow_null=True)
    senderRealName = RealNameField()


class MessageSerializer(serializers.Serializer[Any]):
    """A message. A deleted one keeps its number, sender and times."""

    id = serializers.CharField()
    conversationId = serializers.CharField()
    seq = serializers.IntegerField(help_text="1, 2, 3 … in the order of the conversation.")
    revision = serializers.IntegerField(help_text="The conversation's revision at its last change.")
    clientId = serializers.CharField(allow_null=True)
    senderUsername = serializers.CharField(
        allow_blank=True, help_text="Empty: the account is erased."
    )
    senderDisplayName = serializers.CharField(allow_blank=True)
    senderUserType = UserTypeField(allow_null=True)
    senderRealName = RealNameField()
    content = serializers.CharField(allow_blank=True)
    encrypted = serializers.BooleanField()
    iv = serializers.CharField(allow_null=True, help_text="Null when `content` begins with it.")
    epoch = serializers.IntegerField(allow_null=True)
    edited = serializers.BooleanField()
    editedAt = serializers.IntegerField(allow_null=True)
    pinned = serializers.BooleanField()
    deletedAt = serializers.IntegerField(allow_null=True)
    createdAt = serializers.IntegerField()
    reactions = serializers.DictField(
        child=serializers.ListField(child=serializers.CharField()), help_text="Emoji → usernames."
    )
    mentions = serializers.ListField(
        child=serializers.CharField(),
        help_text=f"Public names of at most {MENTIONS} members whom it names.",
    )
    replyTo = QuoteSerializer(allow_null=True)
    shareCard = CardField(allow_null=True)


MessageAnswer = success("MessageAnswer", message=MessageSerializer())


class MessageListSerializer(SuccessSerializer):
    messages = MessageSerializer(many=True)
    next = serializers.IntegerField(
        allow_null=True, help_text="The next value for the same parameter; null at the end."
    )
    revision = serializers.IntegerField(help_text="The conversation's; for `changedAfter`, later.")
