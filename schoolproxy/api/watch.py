"""GET /api/watch and GET /api/schedule/changes: being told of changes at the school."""

import re
from datetime import datetime
from typing import Any

from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import OpenApiExample, OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.api.base import success
from accounts.api.session import NamedChildSerializer
from accounts.errors import InvalidInput
from accounts.requests import SignedInRequest
from accounts.timestamps import from_milliseconds
from notifications.api.lesson_changes import LessonChangeSerializer
from schoolproxy.api.child_choice import CHILD, ORG, read_choice
from schoolproxy.api.school_data import CHILD_ERRORS
from schoolproxy.services.children import child_fields, chosen_child
from schoolproxy.services.watch.watches import schedule_changes, watch_fields

_SINCE = re.compile(r"[0-9]{1,15}")
_MAYBE_MS: dict[str, Any] = {"allow_null": True, "help_text": "Unix milliseconds."}
STATUSES = ["ok", "waiting_for_school", "sign_in_again", "off"]
LESSON = {
    "eventId": "4410271",
    "name": "Ma",
    "startDate": "2026-03-10T08:20",
    "endDate": "2026-03-10T09:25",
    "room": "B204",
    "teacher": "Torbjörn Ekvik, Åsa Lindroos",
}


class WatchedChildSerializer(serializers.Serializer[Any]):
    id = serializers.CharField()
    name = serializers.CharField(allow_blank=True, help_text="Empty before the first look.")
    lastLookAt = serializers.IntegerField(**_MAYBE_MS)
    nextLookAt = serializers.IntegerField(**_MAYBE_MS)
    status = serializers.ChoiceField(choices=STATUSES)


class WatchFieldsSerializer(serializers.Serializer[Any]):
    on = serializers.BooleanField()
    since = serializers.IntegerField(**_MAYBE_MS)
    lastLookAt = serializers.IntegerField(**_MAYBE_MS)
    nextLookAt = serializers.IntegerField(
        allow_null=True, help_text="Unix milliseconds: when the budget allows it."
    )
    status = serializers.ChoiceField(choices=STATUSES)
    children = WatchedChildSerializer(many=True)


class ScheduleChangeSerializer(LessonChangeSerializer):
    at = serializers.IntegerField(help_text="Unix milliseconds: when it was told.")


class WatchView(APIView):
    """Whether the school is looked at for the caller, and how that goes."""

    @extend_schema(
        operation_id="watch",
        summary="The watch of the school",
        description="It is switched on and off in the settings of notifications.",
        tags=["school data"],
        responses=success("Watch", watch=WatchFieldsSerializer()),
    )
    def get(self, request: SignedInRequest) -> Response:
        return Response({"success": True, "watch": watch_fields(request.user.account_id)})


class ScheduleChangesView(APIView):
    """What the watch has told of a schedule."""

    raises = CHILD_ERRORS

    @extend_schema(
        operation_id="schedule_changes",
        summary="Changes of the schedule",
        description="Of the last 30 days, the newest first, at most 500.",
        tags=["school data"],
        parameters=[
            OpenApiParameter(
                "since",
                {"type": "integer", "minimum": 0, "maximum": 999_999_999_999_999},
                description="Only what was told after this time, in Unix milliseconds.",
            ),
            CHILD,
            ORG,
        ],
        responses=success(
            "ScheduleChanges",
            child=NamedChildSerializer(required=False),
            changes=ScheduleChangeSerializer(many=True),
        ),
        examples=[
            OpenApiExample(
                "another room",
                {
                    "success": True,
                    "changes": [
                        {
                            "at": 1773126000000,
                            "change": "room",
                            "date": "2026-03-10",
                            "lesson": LESSON,
                            "after": LESSON | {"room": "A101"},
                        }
                    ],
                },
                status_codes=["200"],
            )
        ],
    )
    def get(self, request: SignedInRequest) -> Response:
        since = _since(request)
        child = chosen_child(request.user, read_choice(request.query_params))
        changes = schedule_changes(request.user.account_id, child.id if child else 0, since)
        return Response({"success": True} | child_fields(child) | {"changes": changes})


def _since(request: Request) -> datetime:
    """Raises: InvalidInput."""
    text = request.query_params.get("since", "0")
    if not _SINCE.fullmatch(text):
        raise InvalidInput({"since": [_("Give a time in Unix milliseconds.")]})
    # Later than this, nothing was told; earlier, nothing is kept.
    return from_milliseconds(min(int(text), 4_102_444_800_000))
