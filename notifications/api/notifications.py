"""/api/notifications: what happened while the caller was away."""

from typing import Any, Final
from uuid import UUID

from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework import serializers
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.api.base import SuccessSerializer, in_language, success
from accounts.api.fields import TextField, TrueOrFalseField, WholeNumberField
from accounts.errors import NotFound
from accounts.identifiers import require_id
from accounts.registry import notification_kinds
from accounts.requests import SignedInRequest
from notifications.api.lesson_changes import LessonChangeSerializer
from notifications.limits import MAX_PAGE_NOTIFICATIONS, PAGE_NOTIFICATIONS
from notifications.services.notifications import list_notifications, mark_read, remove_notification
from notifications.services.settings import in_own_language

KINDS: Final = list(notification_kinds())
LAST_MILLISECOND: Final = 253_402_300_799_000
EXAMPLE: Final = {
    "id": "0b6f4c1e8f9a4d5c8b7a6e5d4c3b2a19",
    "kind": "message",
    "createdAt": 1795257000000,
    "readAt": None,
    "title": "Astrid Åberg",
    "body": "2 new messages",
    "url": "/conversations/7f1d2c3b4a596877889a0b1c2d3e4f50",
    "data": {"conversationId": "7f1d2c3b4a596877889a0b1c2d3e4f50", "count": 2},
}


READ_REQUEST: Final = {
    "oneOf": [
        {"type": "object", "required": [name], "properties": {name: schema}}
        for name, schema in {
            "id": {"type": "string"},
            "upTo": {"type": "integer", "minimum": 0, "maximum": LAST_MILLISECOND},
            "all": {"type": "boolean", "const": True},
        }.items()
    ]
}


class PageQuerySerializer(serializers.Serializer[Any]):
    limit = serializers.IntegerField(
        min_value=1, max_value=MAX_PAGE_NOTIFICATIONS, default=PAGE_NOTIFICATIONS
    )
    cursor = serializers.CharField(
        required=False, allow_blank=True, help_text="`next` of the previous page."
    )


class ReadSerializer(serializers.Serializer[Any]):
    """`READ_REQUEST` describes it."""

    id = TextField(required=False)
    upTo = WholeNumberField(
        required=False, min_value=0, max_value=LAST_MILLISECOND, help_text="Unix milliseconds."
    )
    all = TrueOrFalseField(required=False)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """The arguments of `mark_read`. Raises: NotFound for an id that is none."""
        if len(attrs) != 1 or attrs.get("all") is False:
            raise serializers.ValidationError({"id": [_("Give one of: id, upTo, all.")]})
        if "id" not in attrs:
            return {"up_to": attrs.get("upTo")}
        return {"only": require_id(attrs["id"])}


class NotificationDataSerializer(serializers.Serializer[Any]):
    """What the notification is about; a kind has only some of these."""

    conversationId = serializers.CharField(required=False)
    messageId = serializers.CharField(required=False)
    inviteId = serializers.CharField(required=False)
    friendshipId = serializers.CharField(required=False)
    reportId = serializers.CharField(required=False)
    assignmentId = serializers.CharField(required=False)
    newsId = serializers.CharField(required=False)
    sessionId = serializers.CharField(required=False)
    child = serializers.CharField(required=False, help_text="The id of the guardian's child.")
    count = serializers.IntegerField(required=False)
    changes = LessonChangeSerializer(many=True, required=False)


class NotificationSerializer(serializers.Serializer[Any]):
    id = serializers.CharField()
    kind = serializers.ChoiceField(KINDS)
    createdAt = serializers.IntegerField(help_text="Unix milliseconds.")
    readAt = serializers.IntegerField(allow_null=True, help_text="Unix milliseconds.")
    title = serializers.CharField()
    body = serializers.CharField(allow_blank=True)
    url = serializers.CharField(allow_null=True, help_text="A path in the app.")
    data = NotificationDataSerializer()  # type: ignore[assignment]


class NotificationListSerializer(SuccessSerializer):
    notifications = NotificationSerializer(many=True)
    next = serializers.CharField(allow_null=True, help_text="Cursor of the next page.")
    unread = serializers.IntegerField(help_text="Of all pages.")


@extend_schema(tags=["notifications"])
class NotificationListView(APIView):
    @extend_schema(
        operation_id="notifications",
        summary="What happened while you were away, the newest first",
        description="Kept for 30 days, at most 500. Several messages of one conversation are one "
        "notification. The texts are in the language of your settings.",
        parameters=[PageQuerySerializer],
        responses=NotificationListSerializer,
        examples=[
            OpenApiExample(
                "messages",
                {"success": True, "notifications": [EXAMPLE], "next": None, "unread": 1},
                response_only=True,
            )
        ],
    )
    def get(self, request: SignedInRequest) -> Response:
        query = PageQuerySerializer(data=request.query_params)
        query.is_valid(raise_exception=True)
        account_id = request.user.account_id
        with in_own_language(account_id):
            page = list_notifications(account_id, **query.validated_data)
            return Response({"success": True, **page}, headers=in_language())


@extend_schema(tags=["notifications"])
class NotificationsReadView(APIView):
    raises = (NotFound,)

    @extend_schema(
        operation_id="notifications_read",
        summary="Mark one notification as read, or those up to a time, or all",
        request={"application/json": READ_REQUEST},
        responses={200: success("Unread", unread=serializers.IntegerField())},
        examples=[
            OpenApiExample("all", {"all": True}, request_only=True),
            OpenApiExample("up to a time", {"upTo": 1795257000000}, request_only=True),
        ],
    )
    def post(self, request: SignedInRequest) -> Response:
        body = ReadSerializer(data=request.data)
        body.is_valid(raise_exception=True)
        unread = mark_read(request.user.account_id, **body.validated_data)
        return Response({"success": True, "unread": unread})


@extend_schema(tags=["notifications"])
class NotificationView(APIView):
    raises = (NotFound,)

    @extend_schema(
        operation_id="notification_remove",
        summary="Delete a notification",
        request=None,
        responses={200: SuccessSerializer},
    )
    def delete(self, request: SignedInRequest, notification_id: UUID) -> Response:
        remove_notification(request.user.account_id, notification_id)
        return Response({"success": True})
