"""GET /api/results: the results that the school has published, with what the teacher said."""

from typing import Any

from rest_framework import serializers
from rest_framework.request import Request

from accounts.api.paging import limit_parameter, read_limit
from schoolproxy.api.records import NumberField
from schoolproxy.api.school_data import SchoolDataSerializer, SchoolDataView, describe
from schoolproxy.cursors import CURSOR
from schoolproxy.errors import SwitchedOff
from schoolproxy.limits import RESULTS_A_PAGE, RESULTS_A_PAGE_AT_MOST
from schoolproxy.reads import SchoolRead
from schoolproxy.services.results import results_read

RESULT = {
    "assignmentId": "88121",
    "subject": "Kemi",
    "title": "Labbrapport 4",
    "type": "Inlämningsuppgift",
    "teacher": "Torbjörn Ekvik",
    "publishedAt": "2026-03-24 15:41",
    "unread": True,
    "review": "B",
    "letter": "B",
    "points": {"got": 18.5, "max": 26},
    "comment": "Se över enheterna.",
    "levels": [{"criterion": "Kemi", "level": "C"}],
}
LIMIT = limit_parameter(default=RESULTS_A_PAGE, most=RESULTS_A_PAGE_AT_MOST)


class PointsSerializer(serializers.Serializer[Any]):
    """Of all parts together."""

    got = NumberField()
    max = NumberField()


class ReachedLevelSerializer(serializers.Serializer[Any]):
    criterion = serializers.CharField(allow_blank=True, help_text="What was assessed.")
    level = serializers.CharField(
        help_text="A to F, or the school's words for a level that is not one of these."
    )


class ResultSerializer(serializers.Serializer[Any]):
    assignmentId = serializers.CharField(help_text="For `/api/assignment/{id}`.")
    subject = serializers.CharField(allow_null=True)
    title = serializers.CharField(allow_blank=True)
    type = serializers.CharField(allow_null=True, help_text="The school's word, such as Prov.")
    teacher = serializers.CharField(allow_null=True)
    publishedAt = serializers.CharField(
        allow_null=True, help_text="As upstream sent it; Europe/Stockholm."
    )
    unread = serializers.BooleanField(help_text="At the school.")
    review = serializers.CharField(allow_null=True, help_text="Plain text.")
    letter = serializers.ChoiceField(
        [*"ABCDEF"], allow_null=True, help_text="The review, if it is exactly one of these."
    )
    points = PointsSerializer(allow_null=True)
    comment = serializers.CharField(allow_null=True, help_text="The teacher's, as plain text.")
    levels = ReachedLevelSerializer(many=True)


class ResultsSerializer(SchoolDataSerializer):
    results = ResultSerializer(many=True)
    next = serializers.CharField(allow_null=True, help_text="The cursor of the next page.")
    incomplete = serializers.ListField(
        child=serializers.CharField(),
        help_text="Ids of results whose review, points, comment and levels could not be read.",
    )


@describe(
    "results",
    ResultsSerializer,
    {"results": [RESULT], "next": "20-88121", "incomplete": []},
    summary="Published results",
    parameters=[LIMIT, CURSOR],
)
class ResultsView(SchoolDataView):
    """The results that the school has published, in its order. Nothing is added up over results,
    averaged or predicted. Not for teachers."""

    raises = (*SchoolDataView.raises, SwitchedOff)

    def school_read(self, request: Request) -> SchoolRead:
        limit = read_limit(request, default=RESULTS_A_PAGE, most=RESULTS_A_PAGE_AT_MOST)
        return results_read(limit=limit, cursor=request.query_params.get("cursor", ""))
