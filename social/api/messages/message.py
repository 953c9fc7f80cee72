"""/api/conversations/{id}/{messageId}: changing one message, and taking it away."""

from collections.abc import Callable
from functools import partial
from typing import Any, Final
from uuid import UUID

from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.api.base import SuccessSerializer
from accounts.errors import InvalidInput
from accounts.requests import SignedInRequest
from social.api.messages.list import EXAMPLE, TAGS
from social.api.messages.serializers import ChangeSerializer, MessageAnswerSerializer
from social.errors import (
    DmRefused,
    EditWindowClosed,
    IvReused,
    MessageGone,
    NotAllowed,
    NotForEncrypted,
    NotThere,
    TooManyKept,
    WrongEnvelope,
)
from social.services.messages.change import delete_message, edit_message, pin_message
from social.services.messages.react import Change, react

Json = dict[str, Any]


def _edit(account_id: int, conversation_id: UUID, message_id: str, fields: Json) -> Json:
    return edit_message(
        account_id,
        conversation_id=conversation_id,
        message_id=message_id,
        content=fields["content"],
        iv=fields.get("iv"),
    )


def _pin(
    pinned: bool, account_id: int, conversation_id: UUID, message_id: str, fields: Json
) -> Json:
    del fields
    return pin_message(
        account_id, conversation_id=conversation_id, message_id=message_id, pinned=pinned
    )


def _react(
    change: Change, account_id: int, conversation_id: UUID, message_id: str, fields: Json
) -> Json:
    return react(
        account_id,
        conversation_id=conversation_id,
        message_id=message_id,
        emoji=fields["emoji"],
        change=change,
    )


ACTIONS: Final[dict[str, Callable[[int, UUID, str, Json], Json]]] = {
    "edit": _edit,
    "pin": partial(_pin, True),
    "unpin": partial(_pin, False),
    "react": partial(_react, "toggle"),
    "add_reaction": partial(_react, "add"),
    "remove_reaction": partial(_react, "remove"),
}


class MessageView(APIView):
    """One message."""

    raises = (
        InvalidInput,
        NotForEncrypted,
        WrongEnvelope,
        NotThere,
        NotAllowed,
        EditWindowClosed,
        DmRefused,
        MessageGone,
        IvReused,
        TooManyKept,
    )

    @extend_schema(
        operation_id="message_change",
        summary="Edit a message, pin it, react to it",
        description=(
            "One's own messages can be edited for a day. Anyone pins in a conversation of two, in "
            "a group its admin and the sender."
        ),
        tags=TAGS,
        request=ChangeSerializer,
        responses={200: MessageAnswerSerializer},
        examples=[
            OpenApiExample("a reaction", {"action": "react", "emoji": "👍"}, request_only=True),
            OpenApiExample("done", {"success": True, "message": EXAMPLE}, response_only=True),
        ],
    )
    def patch(self, request: SignedInRequest, conversation_id: UUID, message_id: str) -> Response:
        form = ChangeSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        fields = form.validated_data
        change = ACTIONS[fields["action"]]
        message = change(request.user.account_id, conversation_id, message_id, fields)
        return Response({"success": True, "message": message})

    @extend_schema(
        operation_id="message_delete",
        summary="Delete a message",
        description=(
            "Its sender's, and the group's admin's. Its place stays, without content, reactions, "
            "card and quote."
        ),
        tags=TAGS,
        request=None,
        responses={200: SuccessSerializer},
    )
    def delete(self, request: SignedInRequest, conversation_id: UUID, message_id: str) -> Response:
        delete_message(
            request.user.account_id, conversation_id=conversation_id, message_id=message_id
        )
        return Response({"success": True})
