"""/api/conversations/{id}/messages and /api/conversations/{id}/{messageId}."""

from functools import partial
from uuid import UUID

from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.api.base import SuccessSerializer
from accounts.errors import ChangedTooOften, ChildRequired, NotFound, SignInNeeded, TooManyKept
from accounts.requests import SignedInRequest
from limits import spend
from social.api.messages.serializers import (
    EXAMPLE,
    PAGE,
    MessageAnswer,
    MessageChangeSerializer,
    MessageListSerializer,
    SendInSchemaSerializer,
    SendSerializer,
    read_page,
)
from social.errors import (
    ClientIdReused,
    DmRefused,
    EditWindowClosed,
    IvReused,
    MessageGone,
    NotAllowed,
    NotForEncrypted,
    WrongEnvelope,
)
from social.limits import MESSAGES
from social.services.messages.change import change_message, delete_message
from social.services.messages.drafts import Draft
from social.services.messages.read import read_messages
from social.services.messages.send import send_message
from upstream.errors import NotForThisRole

SEND_RAISES = (
    # A card of a grade is read at the school, for a guardian as a child's.
    ChildRequired,
    SignInNeeded,
    NotForThisRole,
    NotForEncrypted,
    WrongEnvelope,
    NotFound,
    DmRefused,
    ClientIdReused,
    IvReused,
)


# The schema of sending, the same at both paths.
send_schema = partial(
    extend_schema,
    summary="Send a message",
    description=(
        "With a `clientId`, sending again is safe: 201 is a new message, 200 one that was sent "
        "before, as it is now. The server builds the quote and the card."
    ),
    tags=["messages"],
    request=SendInSchemaSerializer,
    responses={200: MessageAnswer, 201: MessageAnswer},
    examples=[
        OpenApiExample(
            "a text", {"content": "Jag tar kalkstenen.", "clientId": "c-1"}, request_only=True
        ),
        OpenApiExample(
            "sent", {"success": True, "message": EXAMPLE}, response_only=True, status_codes=[201]
        ),
    ],
)


def send(request: SignedInRequest, conversation_id: UUID) -> Response:
    # Before the body is checked: what is refused counts too.
    spend(MESSAGES, request.user.person_hash)
    form = SendSerializer(data=request.data)
    form.is_valid(raise_exception=True)
    draft = Draft(**form.validated_data)
    message, new = send_message(request.user, conversation_id=conversation_id, draft=draft)
    return Response({"success": True, "message": message}, status=201 if new else 200)


@extend_schema(tags=["messages"])
class MessageListView(APIView):
    raises = (NotFound,)
    post_raises = SEND_RAISES

    @extend_schema(
        operation_id="messages",
        summary="Read a page of messages",
        description=(
            "Newest first; oldest first with `after`. `changedAfter` gives the messages that a "
            "client missed while it was disconnected."
        ),
        parameters=PAGE,
        responses=MessageListSerializer,
        examples=[
            OpenApiExample(
                "one", {"success": True, "messages": [EXAMPLE], "next": None, "revision": 17}
            )
        ],
    )
    def get(self, request: SignedInRequest, conversation_id: UUID) -> Response:
        page = read_messages(
            request.user.account_id, conversation_id=conversation_id, page=read_page(request)
        )
        return Response({"success": True, **page})

    @send_schema(operation_id="message_send")
    def post(self, request: SignedInRequest, conversation_id: UUID) -> Response:
        return send(request, conversation_id)


@extend_schema(tags=["messages"])
class MessageView(APIView):
    raises = (
        NotForEncrypted,
        WrongEnvelope,
        NotFound,
        NotAllowed,
        EditWindowClosed,
        DmRefused,
        MessageGone,
        IvReused,
        ChangedTooOften,
        TooManyKept,
    )

    @extend_schema(
        operation_id="message_change",
        summary="Edit, pin or react to a message",
        description=(
            "You can edit your own messages for a day. In a direct conversation both can pin, in a "
            "group its admin and the sender."
        ),
        request=MessageChangeSerializer,
        responses={200: MessageAnswer},
        examples=[
            OpenApiExample("a reaction", {"action": "react", "emoji": "👍"}, request_only=True),
            OpenApiExample("done", {"success": True, "message": EXAMPLE}, response_only=True),
        ],
    )
    def patch(self, request: SignedInRequest, conversation_id: UUID, message_id: str) -> Response:
        # Each change reaches everybody in the conversation, as a message does.
        spend(MESSAGES, request.user.person_hash)
        form = MessageChangeSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        message = change_message(
            request.user.account_id,
            conversation_id=conversation_id,
            message_id=message_id,
            **form.validated_data,
        )
        return Response({"success": True, "message": message})

    @extend_schema(
        operation_id="message_delete",
        summary="Delete a message",
        description=(
            "By its sender, or by the group's admin. Its number, sender and times stay; content, "
            "reactions, card and quote are removed."
        ),
        request=None,
        responses={200: SuccessSerializer},
    )
    def delete(self, request: SignedInRequest, conversation_id: UUID, message_id: str) -> Response:
        delete_message(
            request.user.account_id, conversation_id=conversation_id, message_id=message_id
        )
        return Response({"success": True})
