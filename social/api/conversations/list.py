"""/api/conversations: the caller's conversations, and new ones."""

from typing import Any, Final

from drf_spectacular.utils import OpenApiExample, OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.api.base import SuccessSerializer
from accounts.api.fields import TextField, TrueOrFalseField
from accounts.errors import InvalidInput
from accounts.requests import SignedInRequest
from social.api.paging import read_limit
from social.api.parameters import UsernameField
from social.errors import DmRefused, NotThere, TooManyKept
from social.limits import CONVERSATIONS_A_PAGE, CONVERSATIONS_A_PAGE_AT_MOST, MAX_MEMBERS
from social.models import Conversation
from social.services.conversations.cursor import Cursor
from social.services.conversations.direct import open_dm
from social.services.conversations.read import create_group, list_conversations

TAGS: Final = ["conversations"]
LIMIT = OpenApiParameter(
    "limit",
    {
        "type": "integer",
        "minimum": 1,
        "maximum": CONVERSATIONS_A_PAGE_AT_MOST,
        "default": CONVERSATIONS_A_PAGE,
    },
)
CURSOR = OpenApiParameter("cursor", str, description="`next` of the page before.")
EXAMPLE: Final = {
    "id": "5f0c2f3a9b1d4e6f8a7b6c5d4e3f2a1b",
    "type": "group",
    "participants": ["elsa.nordvall", "bo.ek"],
    "participantNames": {"elsa.nordvall": "Elsa Nordvall", "bo.ek": "Bo Ek"},
    "participantPfpUrls": {"elsa.nordvall": "", "bo.ek": ""},
    "groupName": "Grupparbete",
    "groupDescription": "Bergarter, till fredag",
    "adminUsername": "elsa.nordvall",
    "encrypted": False,
    "encryption": "none",
    "epoch": None,
    "lastMessage": "Jag tar kalkstenen.",
    "lastSenderUsername": "bo.ek",
    "lastAt": 1795257000000,
    "lastSeq": 12,
    "revision": 17,
    "infoRevision": 3,
    "unreadCount": 1,
    "lastReadSeq": 11,
    "joinedSeq": 0,
    "createdAt": 1795170600000,
}
GROUP_EXAMPLE: Final = {
    "type": "group",
    "groupName": "Grupparbete",
    "groupDescription": "Bergarter, till fredag",
    "members": ["bo.ek", "alva.lind"],
}


class ConversationSerializer(serializers.Serializer[Any]):
    id = serializers.CharField()
    type = serializers.ChoiceField([Conversation.DM, Conversation.GROUP])
    participants = serializers.ListField(
        child=serializers.CharField(), help_text="The longest-standing first."
    )
    participantNames = serializers.DictField(child=serializers.CharField(allow_blank=True))
    participantPfpUrls = serializers.DictField(child=serializers.CharField(allow_blank=True))
    groupName = serializers.CharField(allow_null=True, help_text="Null: two people.")
    groupDescription = serializers.CharField(allow_null=True, allow_blank=True)
    adminUsername = serializers.CharField(allow_null=True)
    encrypted = serializers.BooleanField()
    encryption = serializers.ChoiceField(
        [Conversation.NONE, Conversation.AES_GCM, Conversation.MLS]
    )
    epoch = serializers.IntegerField(allow_null=True)
    lastMessage = serializers.CharField(
        allow_blank=True, help_text="Its first 120 characters, or a neutral label."
    )
    lastSenderUsername = serializers.CharField(allow_null=True)
    lastAt = serializers.IntegerField(help_text="Unix milliseconds.")
    lastSeq = serializers.IntegerField()
    revision = serializers.IntegerField(help_text="Of the last change of anything in it.")
    infoRevision = serializers.IntegerField(help_text="Of the last change of its name or members.")
    unreadCount = serializers.IntegerField()
    lastReadSeq = serializers.IntegerField()
    joinedSeq = serializers.IntegerField(help_text="Messages up to it are not the caller's.")
    createdAt = serializers.IntegerField(help_text="Unix milliseconds.")


class ConversationAnswerSerializer(SuccessSerializer):
    conversation = ConversationSerializer()


class ConversationListSerializer(SuccessSerializer):
    conversations = ConversationSerializer(many=True)
    next = serializers.CharField(allow_null=True, help_text="The cursor of the next page.")
    unreadTotal = serializers.IntegerField(help_text="In all conversations.")


class NewConversationSerializer(serializers.Serializer[Any]):
    """`targetUsername` for two people; `type: "group"` with a name and members for a group."""

    type = serializers.ChoiceField([Conversation.DM, Conversation.GROUP], required=False)
    targetUsername = UsernameField(required=False)
    groupName = TextField(max_length=80, required=False)
    groupDescription = TextField(max_length=200, required=False, allow_blank=True)
    members = serializers.ListField(
        child=UsernameField(),
        required=False,
        help_text=f"1 to {MAX_MEMBERS - 1} others; doubles and oneself are ignored.",
    )
    encrypted = TrueOrFalseField(required=False, help_text="Alone, it means aes-gcm.")
    encryption = serializers.ChoiceField([Conversation.NONE, Conversation.AES_GCM], required=False)

    def validate(self, fields: dict[str, Any]) -> dict[str, Any]:
        group = fields.get("type") == Conversation.GROUP
        needed = ("groupName", "members") if group else ("targetUsername",)
        missing = {name: ["This field is required."] for name in needed if name not in fields}
        if missing:
            raise serializers.ValidationError(missing)
        encryption = encryption_of(fields)
        if encryption != Conversation.NONE and not group:
            raise serializers.ValidationError({"encrypted": ["Only groups can be encrypted."]})
        return fields | {"encryption": encryption}


def encryption_of(fields: dict[str, Any]) -> str:
    """Who encrypts, from the two fields that say so. Raises: ValidationError."""
    flag: bool | None = fields.get("encrypted")
    default = Conversation.AES_GCM if flag else Conversation.NONE
    encryption: str = fields.get("encryption", default)
    if flag is not None and flag != (encryption != Conversation.NONE):
        raise serializers.ValidationError({"encryption": ["It contradicts `encrypted`."]})
    return encryption


def read_cursor(request: Request) -> Cursor | None:
    """Where the page begins. Raises: InvalidInput."""
    text = request.query_params.get("cursor")
    if text is None:
        return None
    try:
        return Cursor.read(text)
    except ValueError:
        raise InvalidInput({"cursor": ["Give `next` of the page before."]}) from None


def create(account_id: int, fields: dict[str, Any]) -> tuple[dict[str, Any], bool]:
    """A conversation of two or a group, as the body says, and whether it is new."""
    if fields.get("type") != Conversation.GROUP:
        return open_dm(account_id=account_id, target_username=fields["targetUsername"])
    group = create_group(
        account_id=account_id,
        name=fields["groupName"],
        description=fields.get("groupDescription", ""),
        usernames=fields["members"],
        encryption=fields["encryption"],
    )
    return group, True


class ConversationListView(APIView):
    """The caller's conversations."""

    raises = (NotThere, DmRefused, TooManyKept)

    @extend_schema(
        operation_id="conversations",
        summary="Conversations",
        description="Newest `lastAt` first.",
        tags=TAGS,
        parameters=[LIMIT, CURSOR],
        responses=ConversationListSerializer,
        examples=[
            OpenApiExample(
                "one group",
                {"success": True, "conversations": [EXAMPLE], "next": None, "unreadTotal": 1},
            )
        ],
    )
    def get(self, request: SignedInRequest) -> Response:
        page = list_conversations(
            account_id=request.user.account_id,
            limit=read_limit(
                request, default=CONVERSATIONS_A_PAGE, most=CONVERSATIONS_A_PAGE_AT_MOST
            ),
            after=read_cursor(request),
        )
        answer = {"conversations": page.conversations, "next": page.next}
        return Response({"success": True, **answer, "unreadTotal": page.unread_total})

    @extend_schema(
        operation_id="conversations_create",
        summary="A conversation with one person, or a new group",
        description=(
            "With one person there is one conversation: 200 where it exists, 201 for a new one. "
            "In a new group, friends of the creator are members at once; others get an invite."
        ),
        tags=TAGS,
        request=NewConversationSerializer,
        responses={200: ConversationAnswerSerializer, 201: ConversationAnswerSerializer},
        examples=[
            OpenApiExample("two people", {"targetUsername": "bo.ek"}, request_only=True),
            OpenApiExample("a group", GROUP_EXAMPLE, request_only=True),
            OpenApiExample("done", {"success": True, "conversation": EXAMPLE}, response_only=True),
        ],
    )
    def post(self, request: SignedInRequest) -> Response:
        form = NewConversationSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        conversation, created = create(request.user.account_id, form.validated_data)
        body = {"success": True, "conversation": conversation}
        return Response(body, status=201 if created else 200)
