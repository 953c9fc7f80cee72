"""/api/presence: heartbeats, and who is online."""

from typing import Any

from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import OpenApiExample, OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.api.base import success
from accounts.api.fields import TextField
from accounts.requests import SignedInRequest
from social.limits import MAX_PRESENCES
from social.services.presence import STATUSES, read_presences, record_heartbeat

USERS = OpenApiParameter(
    "users",
    {"type": "array", "items": {"type": "string"}, "maxItems": MAX_PRESENCES},
    required=True,
    explode=False,
    style="form",
    description="Usernames, separated by commas.",
)


class UsersSerializer(serializers.Serializer[Any]):
    """The query of a reader."""

    users = TextField(allow_blank=True)

    def validate_users(self, text: str) -> set[str]:
        names = {name.strip() for name in text.split(",")} - {""}
        if len(names) > MAX_PRESENCES:
            raise serializers.ValidationError(
                _("At most %(most)d at once.") % {"most": MAX_PRESENCES}
            )
        return names


class HeartbeatSerializer(serializers.Serializer[Any]):
    status = serializers.ChoiceField(
        STATUSES,
        default="online",
        help_text="`online` and `idle` are heartbeats; `offline` ends presence at once.",
    )


@extend_schema(tags=["people"])
class PresenceView(APIView):
    """The status follows from the age of the last heartbeat: under 3 minutes online, up to 15
    idle, then offline."""

    @extend_schema(
        operation_id="presence",
        summary="Read the presence of people",
        description=(
            "Everybody who is neither a friend nor in a conversation with you is offline, and so "
            "are people who are unknown, or blocked in either direction."
        ),
        parameters=[USERS],
        responses=success(
            "Presences", presences=serializers.DictField(child=serializers.ChoiceField(STATUSES))
        ),
        examples=[
            OpenApiExample(
                "two people",
                {"success": True, "presences": {"bo.ek": "online", "alva.lind": "offline"}},
            )
        ],
    )
    def get(self, request: SignedInRequest) -> Response:
        query = UsersSerializer(data=request.query_params)
        query.is_valid(raise_exception=True)
        presences = read_presences(request.user.account_id, query.validated_data["users"])
        return Response({"success": True, "presences": presences})

    @extend_schema(
        operation_id="presence_beat",
        summary="Send a heartbeat",
        description="About once a minute. The body is optional.",
        request=HeartbeatSerializer,
        responses=success(
            "HeartbeatAnswer",
            status=serializers.ChoiceField(STATUSES, help_text="As others see it from now on."),
        ),
    )
    def patch(self, request: SignedInRequest) -> Response:
        form = HeartbeatSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        caller = request.user
        status = record_heartbeat(caller.account_id, caller.username, form.validated_data["status"])
        return Response({"success": True, "status": status})
