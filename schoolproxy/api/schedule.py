"""GET /api/schedule: a week's lessons."""

from typing import Any

from django.http.response import HttpResponseBase
from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import OpenApiParameter
from rest_framework import serializers
from rest_framework.request import Request

from accounts.errors import InvalidInput
from accounts.requests import SignedInRequest
from schoolproxy.api.records import LessonSerializer
from schoolproxy.api.school_data import WEEK, SchoolDataSerializer, SchoolDataView, describe
from schoolproxy.cache import CachedAnswer
from schoolproxy.reads import SchoolRead
from schoolproxy.services.schedule import in_slots, schedule_read
from schoolproxy.weeks import read_week

PARALLEL = OpenApiParameter(
    "parallel",
    str,
    enum=["off", "keep"],
    description="keep: all lessons with the same start and end; default: only the first.",
)
EXAMPLE = {
    "week": 11,
    "year": 2026,
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
    "shown": [
        {
            "title": "Matematik",
            "text": "",
            "room": "B204",
            "teacher": "Torbjörn Ekvik",
            "group": "8C",
            "start": "2026-03-09T08:20",
            "end": "2026-03-09T09:25",
            "firstDay": "2026-03-09",
            "lastDay": "2026-03-09",
            "allDay": False,
            "isBreak": False,
            "cancelled": False,
        }
    ],
}


class ShownLessonSerializer(serializers.Serializer[Any]):
    """A lesson in plain words: without markup, lists with spaces."""

    title = serializers.CharField()
    text = serializers.CharField(
        allow_blank=True, help_text="What the school says beside the title."
    )
    room = serializers.CharField(allow_blank=True)
    teacher = serializers.CharField(allow_blank=True)
    group = serializers.CharField(allow_blank=True)
    start = serializers.CharField(allow_null=True, help_text="YYYY-MM-DDTHH:MM, Europe/Stockholm.")
    end = serializers.CharField(allow_null=True, help_text="After `start`.")
    firstDay = serializers.DateField(allow_null=True)
    lastDay = serializers.DateField(
        allow_null=True, help_text="Inclusive; after `firstDay` only if it is all day."
    )
    allDay = serializers.BooleanField()
    isBreak = serializers.BooleanField(help_text="A break or a duty.")
    cancelled = serializers.BooleanField(help_text="The school strikes it through.")


class ScheduleSerializer(SchoolDataSerializer):
    week = serializers.IntegerField()
    year = serializers.IntegerField(
        help_text="Of the lessons; without any, of the nearest such week. The school takes none."
    )
    schedule = LessonSerializer(many=True)
    shown = ShownLessonSerializer(
        many=True, help_text="For each lesson of `schedule`, in the same order."
    )


@describe(
    "schedule",
    ScheduleSerializer,
    EXAMPLE,
    summary="The lessons of a week",
    parameters=[WEEK, PARALLEL],
)
class ScheduleView(SchoolDataView):
    """The lessons of a week in ascending order, one for each start and end."""

    def school_read(self, request: Request) -> SchoolRead:
        _keeps_parallel(request)
        return schedule_read(week=read_week(request.query_params.get("week")))

    def respond(self, request: SignedInRequest, answer: CachedAnswer) -> HttpResponseBase:
        return super().respond(request, answer if _keeps_parallel(request) else in_slots(answer))


def _keeps_parallel(request: Request) -> bool:
    parallel = request.query_params.get("parallel", "off")
    if parallel not in ("off", "keep"):
        raise InvalidInput({"parallel": [_("Give keep or off.")]})
    return parallel == "keep"
