"""GET /api/missing: what was not handed in."""

from collections.abc import Iterable
from typing import Any

from rest_framework import serializers
from rest_framework.request import Request

from schoolproxy.api.done import AssignmentsView
from schoolproxy.api.records import DONE
from schoolproxy.api.school_data import SchoolDataSerializer, describe
from schoolproxy.reads import Fields, SchoolRead
from schoolproxy.services.missing import missing_read

EXAMPLE = {
    "missing": [
        {
            "assignmentId": "88121",
            "title": "Labbrapport 4",
            "subject": "Kemi",
            "type": "Inlämningsuppgift",
            "dueAt": "2026-03-17 08:20",
            "done": False,
        }
    ]
}


class MissingAssignmentSerializer(serializers.Serializer[Any]):
    assignmentId = serializers.CharField(help_text="For `/api/assignment/{id}`.")
    title = serializers.CharField(allow_blank=True)
    subject = serializers.CharField(allow_null=True)
    type = serializers.CharField(allow_null=True, help_text="The school's word, such as Prov.")
    done = serializers.BooleanField(**DONE)
    dueAt = serializers.CharField(help_text="As upstream sent it; Europe/Stockholm.")


class MissingSerializer(SchoolDataSerializer):
    missing = MissingAssignmentSerializer(many=True)


@describe("missing", MissingSerializer, EXAMPLE, summary="What was not handed in this half-year")
class MissingView(AssignmentsView):
    """The assignments that are due in the running half-year (ISO weeks 1-26 or 27-53) and were not
    handed in, the latest first."""

    def school_read(self, request: Request) -> SchoolRead:
        return missing_read()

    def assignments_in(self, fields: Fields) -> Iterable[Fields]:
        rows: list[Fields] = fields["missing"]
        return rows
