"""/api/conversations/{id}: one conversation, and what can be done with it."""

from collections.abc import Callable
from typing import Any, Final
from uuid import UUID

from drf_spectacular.utils import OpenApiExample, OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.api.base import SuccessSerializer
from accounts.api.fields import TextField, WholeNumberField
from accounts.errors import InvalidInput
from accounts.requests import SignedInRequest
from social.api.conversations.list import EXAMPLE, TAGS, ConversationSerializer
from social.api.invites import InviteSerializer
from social.api.messages.list import EXAMPLE as MESSAGE_EXAMPLE
from social.api.messages.list import SEND_RAISES, MessageLimit, send, send_schema
from social.api.messages.serializers import MessageSerializer
from social.api.parameters import UsernameField
from social.errors import AlreadyAsked, GroupFull, NotAllowed, NotThere, StateConflict, TooManyKept
from social.services.conversations.activity import mark_read
from social.services.conversations.groups import leave, remove_member, transfer_admin
from social.services.conversations.read import read_conversation, rename_group
from social.services.invites.actions import add_member

Json = dict[str, Any]
PINNED = OpenApiParameter(
    "pinned", str, enum=["true", "false"], description="true: only the pinned messages."
)


class ConversationReadSerializer(SuccessSerializer):
    conversation = ConversationSerializer()
    messages = MessageSerializer(many=True, help_text="Oldest first.")


class ConversationChangedSerializer(SuccessSerializer):
    conversation = ConversationSerializer(
        allow_null=True, help_text="Null: the caller is in it no more."
    )
    invite = InviteSerializer(
        required=False, allow_null=True, help_text="With `add_member`: null for who joined at once."
    )


class ConversationChangeSerializer(serializers.Serializer[Any]):
    """Which fields count depends on the action."""

    action = serializers.ChoiceField(
        ["rename", "add_member", "remove_member", "leave", "transfer_admin", "mark_read"]
    )
    groupName = TextField(max_length=80, required=False, help_text="rename")
    groupDescription = TextField(
        max_length=200, required=False, allow_blank=True, help_text="rename"
    )
    targetUsername = UsernameField(
        required=False, help_text="add_member, remove_member, transfer_admin"
    )
    seq = WholeNumberField(
        min_value=0,
        required=False,
        help_text="mark_read: everything up to this message is read; without it, everything.",
    )

    def validate(self, fields: Json) -> Json:
        needs_target = fields["action"] in ("add_member", "remove_member", "transfer_admin")
        if needs_target and "targetUsername" not in fields:
            raise serializers.ValidationError({"targetUsername": ["This field is required."]})
        if fields["action"] == "rename" and not fields.keys() & {"groupName", "groupDescription"}:
            raise serializers.ValidationError({"groupName": ["This field is required."]})
        return fields


def _rename(account_id: int, conversation_id: UUID, fields: Json) -> Json:
    renamed = rename_group(
        account_id=account_id,
        conversation_id=conversation_id,
        name=fields.get("groupName"),
        description=fields.get("groupDescription"),
    )
    return {"conversation": renamed}


def _add_member(account_id: int, conversation_id: UUID, fields: Json) -> Json:
    conversation, invite = add_member(
        account_id=account_id,
        conversation_id=conversation_id,
        target_username=fields["targetUsername"],
    )
    return {"conversation": conversation, "invite": invite}


def _remove_member(account_id: int, conversation_id: UUID, fields: Json) -> Json:
    conversation = remove_member(
        account_id=account_id,
        conversation_id=conversation_id,
        target_username=fields["targetUsername"],
    )
    return {"conversation": conversation}


def _leave(account_id: int, conversation_id: UUID, fields: Json) -> Json:
    del fields
    leave(account_id=account_id, conversation_id=conversation_id)
    return {"conversation": None}


def _transfer_admin(account_id: int, conversation_id: UUID, fields: Json) -> Json:
    conversation = transfer_admin(
        account_id=account_id,
        conversation_id=conversation_id,
        target_username=fields["targetUsername"],
    )
    return {"conversation": conversation}


def _mark_read(account_id: int, conversation_id: UUID, fields: Json) -> Json:
    conversation = mark_read(
        account_id=account_id, conversation_id=conversation_id, seq=fields.get("seq")
    )
    return {"conversation": conversation}


ACTIONS: Final[dict[str, Callable[[int, UUID, Json], Json]]] = {
    "rename": _rename,
    "add_member": _add_member,
    "remove_member": _remove_member,
    "leave": _leave,
    "transfer_admin": _transfer_admin,
    "mark_read": _mark_read,
}


def wants_pinned(request: Request) -> bool:
    """Whether only pinned messages are asked for. Raises: InvalidInput."""
    text = request.query_params.get("pinned", "false")
    if text not in ("true", "false"):
        raise InvalidInput({"pinned": ["Give true or false."]})
    return text == "true"


class ConversationView(APIView):
    """One conversation of the caller's."""

    throttle_classes = (*APIView.throttle_classes, MessageLimit)
    raises = (
        NotThere,
        NotAllowed,
        StateConflict,
        AlreadyAsked,
        GroupFull,
        TooManyKept,
        *SEND_RAISES,
    )

    @extend_schema(
        operation_id="conversation",
        summary="One conversation with its newest messages",
        tags=TAGS,
        parameters=[PINNED],
        responses=ConversationReadSerializer,
        examples=[
            OpenApiExample(
                "a group",
                {"success": True, "conversation": EXAMPLE, "messages": [MESSAGE_EXAMPLE]},
            )
        ],
    )
    def get(self, request: SignedInRequest, conversation_id: UUID) -> Response:
        conversation, messages = read_conversation(
            account_id=request.user.account_id,
            conversation_id=conversation_id,
            pinned=wants_pinned(request),
        )
        return Response({"success": True, "conversation": conversation, "messages": messages})

    @extend_schema(
        operation_id="conversation_change",
        summary="Rename, add, remove, leave, hand over, mark as read",
        description=(
            "Renaming, adding, removing others and handing over are the admin's; who is added and "
            "is no friend of the admin gets an invite. The others take `leave` and `mark_read`."
        ),
        tags=TAGS,
        request=ConversationChangeSerializer,
        responses={200: ConversationChangedSerializer},
        examples=[
            OpenApiExample("read", {"action": "mark_read", "seq": 12}, request_only=True),
            OpenApiExample("done", {"success": True, "conversation": EXAMPLE}, response_only=True),
        ],
    )
    def patch(self, request: SignedInRequest, conversation_id: UUID) -> Response:
        form = ConversationChangeSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        fields = form.validated_data
        done = ACTIONS[fields["action"]](request.user.account_id, conversation_id, fields)
        return Response({"success": True, **done})

    @send_schema("conversation_send")
    def post(self, request: SignedInRequest, conversation_id: UUID) -> Response:
        return send(request, conversation_id)
