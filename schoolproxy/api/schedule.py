"""GET /api/schedule: a week's lessons."""

from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import OpenApiParameter
from rest_framework import serializers
from rest_framework.request import Request

from accounts.errors import InvalidInput
from schoolproxy.api.records import LessonSerializer
from schoolproxy.api.school_data import WEEK, SchoolDataSerializer, SchoolDataView, describe
from schoolproxy.reads import SchoolRead
from schoolproxy.services.schedule import schedule_read
from schoolproxy.weeks import read_week

PARALLEL = OpenApiParameter(
    "parallel",
    str,
    enum=["off", "keep"],
    description="keep: all lessons with the same start and end; default: only the first.",
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


class ScheduleSerializer(SchoolDataSerializer):
    week = serializers.IntegerField()
    schedule = LessonSerializer(many=True)


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
        query = request.query_params
        parallel = query.get("parallel", "off")
        if parallel not in ("off", "keep"):
            raise InvalidInput({"parallel": [_("Give keep or off.")]})
        week = read_week(query.get("week"))
        return schedule_read(week=week, keep_parallel=parallel == "keep")
