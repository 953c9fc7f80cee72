"""GET /api/exams: exams and homework between two days."""

from collections.abc import Iterable
from functools import partial
from typing import Any

from drf_spectacular.utils import OpenApiParameter
from rest_framework import serializers
from rest_framework.request import Request

from accounts.requests import SignedInRequest
from schoolproxy.api.done import AssignmentsView
from schoolproxy.api.records import DONE
from schoolproxy.api.school_data import SchoolDataSerializer, describe
from schoolproxy.cache import CachedAnswer, Question
from schoolproxy.reads import Fields, SchoolRead
from schoolproxy.services.exam_rows import KINDS
from schoolproxy.services.exams import between, exams_read
from schoolproxy.weeks import read_days

FROM = OpenApiParameter(
    "from",
    {"type": "string", "format": "date"},
    description="The first day; default: today. Not before 2000.",
)
TO = OpenApiParameter(
    "to",
    {"type": "string", "format": "date"},
    description="The last day, at most 62 days in all; default: four weeks.",
)
EXAMPLE = {
    "exams": [
        {
            "id": "88121",
            "kind": "exam",
            "title": "Prov kap 4",
            "subject": "Matematik",
            "start": "2026-03-17 08:20",
            "end": "2026-03-17 09:40",
            "allDay": False,
            "groups": ["8C", "8C/MA-2"],
            "done": False,
        }
    ],
    "incomplete": [],
}


class ExamSerializer(serializers.Serializer[Any]):
    id = serializers.CharField(
        allow_null=True, help_text="For `/api/assignment/{id}`. Null: it cannot be opened."
    )
    kind = serializers.ChoiceField(KINDS)
    title = serializers.CharField(allow_blank=True)
    subject = serializers.CharField(allow_null=True)
    start = serializers.CharField(help_text="As upstream sent it; Europe/Stockholm.")
    end = serializers.CharField(allow_null=True)
    allDay = serializers.BooleanField()
    groups = serializers.ListField(child=serializers.CharField())
    done = serializers.BooleanField(**DONE)


class ExamsSerializer(SchoolDataSerializer):
    exams = ExamSerializer(many=True)
    incomplete = serializers.ListField(
        child=serializers.ChoiceField(["subjects"]),
        help_text="`subjects`: subjects and groups could not be read.",
    )


@describe("exams", ExamsSerializer, EXAMPLE, summary="Exams and homework", parameters=[FROM, TO])
class ExamsView(AssignmentsView):
    """Exams, homework and other dated work that takes place on these days, the first one first.
    The same one of several groups is there once. Not for teachers."""

    def school_read(self, request: Request) -> SchoolRead:
        return exams_read()

    def answer(self, request: SignedInRequest, question: Question) -> CachedAnswer:
        query = request.query_params
        first, last = read_days(query.get("from"), query.get("to"))
        return super().answer(request, question).changed(partial(between, first=first, last=last))

    def assignments_in(self, fields: Fields) -> Iterable[Fields]:
        rows: list[Fields] = fields["exams"]
        return rows
