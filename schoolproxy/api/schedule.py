"""GET /api/schedule: a week's lessons."""

from typing import Any

from drf_spectacular.utils import OpenApiParameter
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.errors import InvalidInput
from accounts.requests import SignedInRequest
from schoolproxy.api.school_data import (
    WEEK,
    SchoolDataSerializer,
    SchoolDataView,
    asked_of,
    describe,
    respond,
)
from schoolproxy.services.schedule import copy_name, read_schedule
from schoolproxy.weeks import read_week

PARALLEL = OpenApiParameter(
    "parallel",
    str,
    enum=["off", "keep"],
    description="keep: lessons that share a slot but differ all stay.",
)
EXAMPLE = {
    "week": 11,
    "schedule": [
        {
            "eventId": 4410271,
            "name": "Ma",
            "description": "Matematik",
            "startDate": "2026-03-09T08:20",
            "endDate": "2026-03-09T09:25",
            "room": "B204",
            "teacher": "Torbjörn Ekvik",
            "teachingGroup": "8C",
        }
    ],
}


class LessonSerializer(serializers.Serializer[Any]):
    """Upstream's fields, unchanged; these two are always and never missing."""

    startDate = serializers.CharField(help_text="YYYY-MM-DDTHH:MM, Europe/Stockholm.")
    endDate = serializers.CharField(required=False, allow_null=True)


class ScheduleSerializer(SchoolDataSerializer):
    week = serializers.IntegerField()
    schedule = LessonSerializer(many=True)


def wish_of(request: Request) -> tuple[int, bool]:
    """(week, keep parallel lessons). Raises `InvalidInput`."""
    query = request.query_params
    parallel = query.get("parallel", "off")
    if parallel not in ("off", "keep"):
        raise InvalidInput({"parallel": ["Give keep or off."]})
    return read_week(query.get("week")), parallel == "keep"


class ScheduleView(SchoolDataView):
    """The lessons of a week, each slot once, ascending."""

    def copy_name(self, request: Request) -> str:
        return copy_name(*wish_of(request))

    @describe(
        "schedule",
        ScheduleSerializer,
        EXAMPLE,
        summary="The lessons of a week",
        parameters=[WEEK, PARALLEL],
    )
    def get(self, request: SignedInRequest) -> Response:
        week, keep_parallel = wish_of(request)
        asked = asked_of(request)
        answer = read_schedule(request.user, week=week, keep_parallel=keep_parallel, asked=asked)
        return respond(request, answer)
