"""GET /api/calendar: everything that has a date, in one list."""

from typing import Any

from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import OpenApiParameter
from rest_framework import serializers
from rest_framework.request import Request

from accounts.errors import InvalidInput
from schoolproxy.api.exams import FROM, TO
from schoolproxy.api.school_data import SchoolDataSerializer, SchoolDataView, describe
from schoolproxy.reads import SchoolRead
from schoolproxy.services.calendar.items import SOURCES, items_read
from schoolproxy.weeks import read_days

KINDS = ("lesson", "event", "exam", "homework", "other", "planning")
INCLUDE = OpenApiParameter(
    "include",
    {"type": "array", "minItems": 1, "items": {"type": "string", "enum": list(SOURCES)}},
    explode=False,
    description="What is listed, separated by commas; default: lessons, events and exams.",
)
EXAMPLE = {
    "from": "2026-03-16",
    "to": "2026-03-22",
    "items": [
        {
            "kind": "lesson",
            "id": "4410271",
            "title": "Matematik",
            "start": "2026-03-16T08:20",
            "end": "2026-03-16T09:25",
            "allDay": False,
            "room": "B204",
            "teacher": "Torbjörn Ekvik",
            "subject": "Matematik",
            "status": "cancelled",
        },
        {
            "kind": "event",
            "id": "70012",
            "title": "Studiedag",
            "start": "2026-03-18",
            "end": "2026-03-18",
            "allDay": True,
            "room": None,
            "teacher": None,
            "subject": None,
            "status": "normal",
        },
    ],
    "incomplete": [],
}


class CalendarItemSerializer(serializers.Serializer[Any]):
    kind = serializers.ChoiceField(KINDS)
    id = serializers.CharField(
        allow_null=True, help_text="Of the lesson, event, assignment, or part of a planning."
    )
    title = serializers.CharField()
    start = serializers.CharField(
        help_text="YYYY-MM-DDTHH:MM, Europe/Stockholm; YYYY-MM-DD if it is all day."
    )
    end = serializers.CharField(allow_null=True, help_text="The same; the last day is inclusive.")
    allDay = serializers.BooleanField()
    room = serializers.CharField(allow_null=True)
    teacher = serializers.CharField(allow_null=True)
    subject = serializers.CharField(allow_null=True)
    status = serializers.ChoiceField(["normal", "cancelled"])


class CalendarSerializer(SchoolDataSerializer):
    to = serializers.DateField()
    items = CalendarItemSerializer(many=True)
    incomplete = serializers.ListField(
        child=serializers.ChoiceField(SOURCES),
        help_text="What could not be read, or not all of it.",
    )

    def get_fields(self) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
        # `from` is a word of Python.
        return super().get_fields() | {"from": serializers.DateField()}


@describe(
    "calendar",
    CalendarSerializer,
    EXAMPLE,
    summary="Everything that has a date",
    parameters=[FROM, TO, INCLUDE],
)
class CalendarView(SchoolDataView):
    """Lessons, the school's events, exams and plannings of these days in one list, by time. Not for
    teachers."""

    def school_read(self, request: Request) -> SchoolRead:
        query = request.query_params
        first, last = read_days(query.get("from"), query.get("to"))
        include = _read_include(query.get("include", "lessons,events,exams"))
        return items_read(first=first, last=last, include=include)


def _read_include(text: str) -> set[str]:
    words = {word.strip() for word in text.split(",")}
    if words <= set(SOURCES):
        return words
    raise InvalidInput(
        {"include": [_("Give lessons, events, exams, plannings, separated by commas.")]}
    )
