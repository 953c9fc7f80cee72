"""GET /api/plannings/week, /api/plannings/{id} and its files."""

from collections.abc import Iterable
from functools import partial
from typing import Any

from rest_framework import serializers
from rest_framework.request import Request

from accounts.requests import SignedInRequest
from schoolproxy.api.assignments import YEAR
from schoolproxy.api.attachments import EXAMPLE as FILE
from schoolproxy.api.attachments import AttachmentSerializer, FileView, describe_file
from schoolproxy.api.done import AssignmentsView
from schoolproxy.api.records import DONE, SectionSerializer
from schoolproxy.api.school_data import (
    WEEK,
    SchoolDataSerializer,
    SchoolDataView,
    describe,
    number_in_path,
)
from schoolproxy.cache import CachedAnswer, Question
from schoolproxy.errors import SwitchedOff
from schoolproxy.reads import Fields, SchoolRead
from schoolproxy.services.downloads import Download
from schoolproxy.services.plannings import in_week, one_planning, planning_file, plannings_read
from schoolproxy.weeks import read_week_of_year

LISTED = {
    "id": "4120071",
    "planningId": "412007",
    "title": "Geometri",
    "partTitle": "Geometri, del 1",
    "subjects": ["Matematik"],
    "teacher": "Åsa Lindroos",
    "startDate": "2026-03-09",
    "endDate": "2026-04-02",
    "unread": False,
}
PLANNING = {
    "id": "4120071",
    "planningId": "412007",
    "title": "Geometri, del 1",
    "subTitle": "mån 09 mars - tor 02 apr.",
    "html": "<p>v. 11: läs kap 4.</p>",
    "publishDate": "9 mars",
    "sections": [{"id": 41200710, "type": "GRADECRITERIA"}],
    "assignments": [{"id": "41205830", "title": "Prov kap 4", "done": False}],
    "files": [FILE | {"url": "https://school.example/api/plannings/4120071/attachments/512070"}],
    "links": [{"title": "Film om bråk", "url": "https://larande.example/film"}],
}


class ListedPlanningSerializer(serializers.Serializer[Any]):
    id = serializers.CharField(help_text="Of the part, for `/api/plannings/{id}`.")
    planningId = serializers.CharField(allow_null=True)
    title = serializers.CharField(allow_blank=True)
    partTitle = serializers.CharField(allow_blank=True)
    subjects = serializers.ListField(child=serializers.CharField())
    teacher = serializers.CharField(allow_null=True)
    startDate = serializers.CharField(help_text="As upstream sent it.")
    endDate = serializers.CharField(
        allow_null=True, help_text="Null: until the end of the half-year."
    )
    unread = serializers.BooleanField(allow_null=True, help_text="At the school.")


class WeekPlanningsSerializer(SchoolDataSerializer):
    week = serializers.IntegerField()
    year = serializers.IntegerField()
    plannings = ListedPlanningSerializer(many=True)


class PlannedAssignmentSerializer(serializers.Serializer[Any]):
    id = serializers.CharField()
    title = serializers.CharField(allow_blank=True)
    done = serializers.BooleanField(**DONE)


class PlanningLinkSerializer(serializers.Serializer[Any]):
    title = serializers.CharField()
    url = serializers.CharField()


class PlanningFieldsSerializer(serializers.Serializer[Any]):
    id = serializers.CharField()
    planningId = serializers.CharField(allow_null=True)
    title = serializers.CharField(allow_blank=True)
    subTitle = serializers.CharField(allow_null=True)
    html = serializers.CharField(allow_blank=True, help_text="Sanitised.")
    publishDate = serializers.CharField(allow_null=True, help_text="As upstream sent it.")
    sections = SectionSerializer(many=True)
    assignments = PlannedAssignmentSerializer(many=True)
    files = AttachmentSerializer(many=True)
    links = PlanningLinkSerializer(many=True)


class PlanningSerializer(SchoolDataSerializer):
    planning = PlanningFieldsSerializer()
    incomplete = serializers.ListField(
        child=serializers.ChoiceField(["sections", "assignments", "files", "links", "planningId"]),
        help_text="What could not be read.",
    )


@describe(
    "plannings-week",
    WeekPlanningsSerializer,
    {"week": 11, "year": 2026, "plannings": [LISTED]},
    summary="What is planned in a week",
    parameters=[WEEK, YEAR],
)
class WeekPlanningsView(SchoolDataView):
    """The parts of plannings that overlap a week, also those that began long before. Not for
    teachers."""

    raises = (*SchoolDataView.raises, SwitchedOff)

    def school_read(self, request: Request) -> SchoolRead:
        return plannings_read()

    def answer(self, request: SignedInRequest, question: Question) -> CachedAnswer:
        week, year = read_week_of_year(request.query_params)
        return super().answer(request, question).changed(partial(in_week, week=week, year=year))


@describe(
    "planning",
    PlanningSerializer,
    {"planning": PLANNING, "incomplete": []},
    summary="A part of a planning",
    parameters=[number_in_path("number")],
)
class PlanningView(AssignmentsView):
    """A part of a planning with its text, assignments, files and links. Not for teachers."""

    raises = (*SchoolDataView.raises, SwitchedOff)

    def answer(self, request: SignedInRequest, question: Question) -> CachedAnswer:
        return one_planning(question, self.kwargs["number"])

    def assignments_in(self, fields: Fields) -> Iterable[Fields]:
        rows: list[Fields] = fields["planning"]["assignments"]
        return rows


@describe_file("planning-file", "A file of a planning", "number", "file")
class PlanningFileView(FileView):
    """A file of a part of a planning, as it arrives from the school. Nothing of it is kept."""

    def open(self, question: Question) -> Download:
        return planning_file(question, self.kwargs["number"], self.kwargs["file"])
