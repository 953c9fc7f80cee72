"""GET /api/attendance: what the school has noted about the lessons of a week."""

from typing import Any, cast

from django.http.response import HttpResponseBase
from rest_framework import serializers
from rest_framework.request import Request

from accounts.requests import SignedInRequest
from schoolproxy.api.assignments import YEAR
from schoolproxy.api.school_data import WEEK, SchoolDataSerializer, SchoolDataView, describe
from schoolproxy.cache import CachedAnswer
from schoolproxy.errors import SwitchedOff
from schoolproxy.reads import SchoolRead
from schoolproxy.services.attendance import STATES, attendance_of, attendance_read
from schoolproxy.weeks import read_week, read_year

EXAMPLE = {
    "week": 11,
    "year": 2026,
    "days": [
        {
            "date": "2026-03-09",
            "lessons": [
                {
                    "eventId": "4410271",
                    "name": "Ma",
                    "start": "2026-03-09T08:20",
                    "end": "2026-03-09T09:25",
                    "state": "excused",
                    "minutes": 65,
                    "reason": "Sjuk",
                    "comment": None,
                }
            ],
        }
    ],
    "summary": {"absent": 0, "excused": 1, "minutes": 65},
}


class AttendedLessonSerializer(serializers.Serializer[Any]):
    eventId = serializers.CharField(allow_null=True)
    name = serializers.CharField(allow_blank=True)
    start = serializers.CharField(help_text="YYYY-MM-DDTHH:MM, Europe/Stockholm.")
    end = serializers.CharField(allow_null=True)
    state = serializers.ChoiceField(
        STATES, help_text="`excused`: the school approves. `unknown`: it says something else."
    )
    minutes = serializers.IntegerField(allow_null=True, help_text="Of absence.")
    reason = serializers.CharField(allow_null=True)
    comment = serializers.CharField(allow_null=True, help_text="The teacher's.")


class AttendanceDaySerializer(serializers.Serializer[Any]):
    date = serializers.DateField()
    lessons = AttendedLessonSerializer(many=True)


class AttendanceSummarySerializer(serializers.Serializer[Any]):
    absent = serializers.IntegerField(help_text="Lessons.")
    excused = serializers.IntegerField(help_text="Lessons.")
    minutes = serializers.IntegerField(help_text="Of both, where the school says how many.")


class AttendanceWeekSerializer(SchoolDataSerializer):
    week = serializers.IntegerField()
    year = serializers.IntegerField()
    days = AttendanceDaySerializer(many=True)
    summary = AttendanceSummarySerializer()


@describe(
    "attendance",
    AttendanceWeekSerializer,
    EXAMPLE,
    summary="Attendance in a week",
    parameters=[WEEK, YEAR],
)
class AttendanceView(SchoolDataView):
    """What the school has noted about each lesson of a week, without breaks. For pupils and
    guardians. `year` has to be that of the nearest such week: the school takes none."""

    raises = (*SchoolDataView.raises, SwitchedOff)

    def school_read(self, request: Request) -> SchoolRead:
        _year(request)
        week = read_week(request.query_params.get("week"))
        return attendance_read(cast(SignedInRequest, request).user, week=week)

    def respond(self, request: SignedInRequest, answer: CachedAnswer) -> HttpResponseBase:
        return super().respond(request, attendance_of(answer, year=_year(request)))


def _year(request: Request) -> int | None:
    text = request.query_params.get("year")
    return None if text is None else read_year(text)
