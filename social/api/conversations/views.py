"""/api/conversations and /api/conversations/{id}."""

from uuid import UUID

from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import OpenApiExample, OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.api.paging import limit_parameter, read_limit
from accounts.errors import ChangedTooOften, InvalidInput, NotFound, TooManyKept
from accounts.requests import SignedInRequest
from social.api.conversations.serializers import (
    EXAMPLE,
    GROUP_EXAMPLE,
    ConversationAnswer,
    ConversationChangedSerializer,
    ConversationChangeSerializer,
    ConversationListSerializer,
    ConversationReadSerializer,
    NewConversationSerializer,
)
from social.api.messages.serializers import EXAMPLE as MESSAGE_EXAMPLE
from social.api.messages.views import SEND_RAISES, send, send_schema
from social.errors import (
    AdultNotKnown,
    AlreadyAsked,
    AlreadyMember,
    DeclinedRecently,
    DmRefused,
    GroupFull,
    NotAGroup,
    NotAllowed,
)
from social.limits import CONVERSATIONS_A_PAGE, CONVERSATIONS_A_PAGE_AT_MOST
from social.services.conversations.actions import change_conversation, start_conversation
from social.services.conversations.read import list_conversations, read_conversation

LIMIT = limit_parameter(default=CONVERSATIONS_A_PAGE, most=CONVERSATIONS_A_PAGE_AT_MOST)
CURSOR = OpenApiParameter("cursor", str, description="`next` of the previous page.")
PINNED = OpenApiParameter(
    "pinned", str, enum=["true", "false"], description="true: only the pinned messages."
)


def read_pinned(request: Request) -> bool:
    """`pinned` of the query. Raises: InvalidInput."""
    text = request.query_params.get("pinned", "false")
    if text not in ("true", "false"):
        raise InvalidInput({"pinned": [_("Give true or false.")]})
    return text == "true"


@extend_schema(tags=["conversations"])
class ConversationListView(APIView):
    raises = (NotFound, DmRefused, DeclinedRecently, TooManyKept)

    @extend_schema(
        operation_id="conversations",
        summary="List conversations",
        description="The newest `lastAt` first.",
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
            cursor=request.query_params.get("cursor", ""),
        )
        return Response({"success": True, **page})

    @extend_schema(
        operation_id="conversations_create",
        summary="Start a direct conversation or a group",
        description=(
            "A direct conversation that exists is 200. In a new group, your friends are members at "
            "once; others get an invite, also friends who would meet an adult they do not know."
        ),
        request=NewConversationSerializer,
        responses={200: ConversationAnswer, 201: ConversationAnswer},
        examples=[
            OpenApiExample("two people", {"targetUsername": "bo.ek"}, request_only=True),
            OpenApiExample("a group", GROUP_EXAMPLE, request_only=True),
            OpenApiExample("done", {"success": True, "conversation": EXAMPLE}, response_only=True),
        ],
    )
    def post(self, request: SignedInRequest) -> Response:
        form = NewConversationSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        conversation, created = start_conversation(
            account_id=request.user.account_id, **form.validated_data
        )
        body = {"success": True, "conversation": conversation}
        return Response(body, status=201 if created else 200)


@extend_schema(tags=["conversations"])
class ConversationView(APIView):
    raises = (
        NotFound,
        NotAllowed,
        AdultNotKnown,
        NotAGroup,
        AlreadyMember,
        AlreadyAsked,
        DeclinedRecently,
        GroupFull,
        ChangedTooOften,
        TooManyKept,
        DmRefused,
    )
    post_raises = SEND_RAISES

    @extend_schema(
        operation_id="conversation",
        summary="Read a conversation with its newest messages",
        parameters=[PINNED],
        responses=ConversationReadSerializer,
        examples=[
            OpenApiExample(
                "a group", {"success": True, "conversation": EXAMPLE, "messages": [MESSAGE_EXAMPLE]}
            )
        ],
    )
    def get(self, request: SignedInRequest, conversation_id: UUID) -> Response:
        conversation, messages = read_conversation(
            account_id=request.user.account_id,
            conversation_id=conversation_id,
            pinned=read_pinned(request),
        )
        return Response({"success": True, "conversation": conversation, "messages": messages})

    @extend_schema(
        operation_id="conversation_change",
        summary="Change a conversation, or mark it as read",
        description=(
            "Only the admin can rename, add, remove others and transfer the role. A person who is "
            "added and is not a friend of the admin gets an invite. Every member can use `leave` "
            "and `mark_read`."
        ),
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
        changed = change_conversation(
            account_id=request.user.account_id,
            conversation_id=conversation_id,
            **form.validated_data,
        )
        return Response({"success": True, **changed})

    @send_schema(
        operation_id="conversation_send", description="The same as at `/messages` below it."
    )
    def post(self, request: SignedInRequest, conversation_id: UUID) -> Response:
        return send(request, conversation_id)
