"""GET /api/assignments/week and /api/assignment/{id}."""

from collections.abc import Iterable
from typing import Any, Final

from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import OpenApiParameter
from rest_framework import serializers
from rest_framework.request import Request

from accounts.errors import InvalidInput
from schoolproxy.api.done import AssignmentsView
from schoolproxy.api.records import (
    DONE,
    ConnectedPlanningSerializer,
    CriteriaTabSerializer,
    PartialMomentSerializer,
    SectionSerializer,
    SelectedCriterionSerializer,
    WeekAssignmentSerializer,
)
from schoolproxy.api.school_data import (
    WEEK,
    SchoolDataSerializer,
    describe,
    number_in_path,
)
from schoolproxy.reads import Fields, SchoolRead
from schoolproxy.services.assignments import Kind, assignment_read, week_assignments_read
from schoolproxy.services.submissions import WORDS
from schoolproxy.weeks import read_week_of_year

YEAR = OpenApiParameter(
    "year",
    {"type": "integer", "minimum": 2000, "maximum": 2099},
    description="ISO year; default: the current one in Europe/Stockholm.",
)
TYPE = OpenApiParameter(
    "type",
    str,
    enum=["assignment", "planning"],
    description="What the number is the id of; default: assignment.",
)
KINDS: Final[dict[str, Kind]] = {"assignment": "assignment", "planning": "planning"}
WEEK_EXAMPLE = {
    "week": 11,
    "year": 2026,
    "data": [
        {
            "id": 88121,
            "activityId": 1204,
            "title": "Prov kap 4",
            "subTitle": "tis 10 mars 00:00 - tis 17 mars 08:20, Prov, Matematik",
            "sortDate": "2026-03-17 08:20",
            "read": False,
            "submission": "not_required",
            "done": False,
            "type": "ASSIGNMENT",
        }
    ],
}
EXAMPLE = {
    "type": "assignment",
    "assignment": {
        "id": 88121,
        "title": "Prov kap 4",
        "subTitle": "tisdag 10 mars 2026 00:00 - tisdag 17 mars 2026 08:20",
        "description": "<p>Räkna sid 84–91.</p>",
        "status": "UPCOMING",
        "endDate": "2026-03-17",
        "endTime": "08:20",
        "publishDate": "9 mars 14:05",
        "subjectNames": "Matematik",
        "subjectRoomId": 1204,
        "submissionStatus": "NO_STATUS",
        "submission": "not_required",
        "done": False,
        "resultReportStatus": "NOT_REPORTED",
    },
    "sections": [{"id": 5121, "type": "SUBMISSION"}],
    "connectedPlannings": [],
    "assessment": {
        "review": "",
        "teacherComment": "",
        "studentComment": "",
        "partialMoments": [{"id": 31, "name": "Del A", "points": 11, "max": 16}],
        "assessedCriteriaTabs": [],
    },
    "grading": {"availableColumns": [], "selectedCriteria": []},
}


class WeekAssignmentsSerializer(SchoolDataSerializer):
    week = serializers.IntegerField()
    year = serializers.IntegerField()
    data = WeekAssignmentSerializer(many=True)  # type: ignore[assignment]  # a field of that name


class AssignmentFieldsSerializer(serializers.Serializer[Any]):
    """Upstream's values. Upstream may add values to the three status fields."""

    id = serializers.IntegerField()
    title = serializers.CharField()
    subTitle = serializers.CharField(allow_null=True)
    description = serializers.CharField(
        allow_null=True, help_text="Sanitised HTML with absolute links."
    )
    status = serializers.CharField()
    endDate = serializers.CharField(allow_null=True)
    endTime = serializers.CharField(allow_null=True)
    publishDate = serializers.CharField(allow_null=True)
    subjectNames = serializers.CharField()
    subjectRoomId = serializers.IntegerField(allow_null=True)
    submissionStatus = serializers.CharField()
    submission = serializers.ChoiceField(WORDS, help_text="Where it stands.")
    done = serializers.BooleanField(required=False, **DONE)
    resultReportStatus = serializers.CharField()


class AssessmentSerializer(serializers.Serializer[Any]):
    review = serializers.CharField()
    teacherComment = serializers.CharField()
    studentComment = serializers.CharField()
    partialMoments = PartialMomentSerializer(many=True)
    assessedCriteriaTabs = CriteriaTabSerializer(many=True)


class GradingSerializer(serializers.Serializer[Any]):
    availableColumns = serializers.ListField()
    selectedCriteria = SelectedCriterionSerializer(many=True)


class AssignmentSerializer(SchoolDataSerializer):
    type = serializers.ChoiceField(choices=list(KINDS))
    assignment = AssignmentFieldsSerializer()
    sections = SectionSerializer(many=True)
    connectedPlannings = ConnectedPlanningSerializer(many=True)
    assessment = AssessmentSerializer()
    grading = GradingSerializer()


@describe(
    "assignments-week",
    WeekAssignmentsSerializer,
    WEEK_EXAMPLE,
    summary="The assignments of a week",
    parameters=[WEEK, YEAR],
)
class WeekAssignmentsView(AssignmentsView):
    """The assignments that begin in a week or continue through it."""

    def school_read(self, request: Request) -> SchoolRead:
        week, year = read_week_of_year(request.query_params)
        return week_assignments_read(week=week, year=year)

    def assignments_in(self, fields: Fields) -> Iterable[Fields]:
        rows: list[Fields] = fields["data"]
        return rows


@describe(
    "assignment",
    AssignmentSerializer,
    EXAMPLE,
    summary="One assignment or planning",
    parameters=[number_in_path("number"), TYPE],
)
class AssignmentView(AssignmentsView):
    """One assignment or planning. Parts that the caller may not see are empty."""

    def school_read(self, request: Request) -> SchoolRead:
        kind = KINDS.get(request.query_params.get("type", "assignment"))
        if kind is None:
            raise InvalidInput({"type": [_("Give assignment or planning.")]})
        return assignment_read(kind=kind, number=self.kwargs["number"])

    def assignments_in(self, fields: Fields) -> Iterable[Fields]:
        return [fields["assignment"]] if fields["type"] == "assignment" else []
