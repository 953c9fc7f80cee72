"""GET /api/assessments and /api/assessments/{id}: the written assessments of subjects."""

from typing import Any

from rest_framework import serializers
from rest_framework.request import Request

from accounts.requests import SignedInRequest
from schoolproxy.api.school_data import (
    SchoolDataSerializer,
    SchoolDataView,
    describe,
    number_in_path,
)
from schoolproxy.cache import CachedAnswer, Question
from schoolproxy.errors import SchoolItemUnknown, SwitchedOff
from schoolproxy.reads import SchoolRead
from schoolproxy.services.assessments import assessments_read, one_assessment

LISTED = {
    "id": "7410",
    "subject": "Kemi",
    "code": "KE",
    "text": "Mer än godtagbara kunskaper",
    "warning": False,
    "publishedAt": "2026-01-09T07:00:00",
    "unread": True,
}
WORK = {
    "assignmentId": "88121",
    "title": "Labbrapport 4",
    "type": "Inlämningsuppgift",
    "review": "B",
    "points": None,
    "comment": "Se över enheterna.",
}
WHOLE = {
    "id": "7410",
    "subject": "Kemi",
    "group": "8C Kemi",
    "text": "Mer än godtagbara kunskaper",
    "supportMeasures": None,
    "comments": ["<p>Du resonerar väl.</p>"],
    "warning": None,
    "work": [WORK],
    "history": [{"id": "7410", "term": "HT 25", "current": True}],
}
_HTML = "Sanitised HTML."


class ActionPlanSerializer(serializers.Serializer[Any]):
    title = serializers.CharField(allow_blank=True)
    html = serializers.CharField(allow_blank=True, help_text=_HTML)


class ListedAssessmentSerializer(serializers.Serializer[Any]):
    id = serializers.CharField()
    subject = serializers.CharField(allow_blank=True)
    code = serializers.CharField(allow_null=True, help_text="Of the subject, such as MA.")
    text = serializers.CharField(allow_blank=True, help_text="In the school's own words.")
    warning = serializers.BooleanField(
        help_text="Whether the school has published a warning that the goals may not be reached."
    )
    publishedAt = serializers.CharField(allow_null=True, help_text="As upstream sent it.")
    unread = serializers.BooleanField(help_text="At the school.")


class SubjectWarningSerializer(serializers.Serializer[Any]):
    text = serializers.CharField(allow_blank=True)
    updatedAt = serializers.CharField(allow_null=True, help_text="As upstream sent it.")


class AssessedWorkSerializer(serializers.Serializer[Any]):
    assignmentId = serializers.CharField(allow_null=True, help_text="For `/api/assignment/{id}`.")
    title = serializers.CharField(allow_blank=True)
    type = serializers.CharField(allow_null=True)
    review = serializers.CharField(allow_null=True)
    points = serializers.CharField(allow_null=True)
    comment = serializers.CharField(allow_null=True)


class AssessedTermSerializer(serializers.Serializer[Any]):
    id = serializers.CharField(allow_null=True)
    term = serializers.CharField(allow_null=True, help_text='Such as "HT 25".')
    current = serializers.BooleanField()


class WholeAssessmentSerializer(serializers.Serializer[Any]):
    id = serializers.CharField()
    subject = serializers.CharField(allow_blank=True)
    group = serializers.CharField(allow_null=True)
    text = serializers.CharField(allow_blank=True)
    supportMeasures = serializers.CharField(allow_null=True, help_text=_HTML)
    comments = serializers.ListField(child=serializers.CharField(), help_text=_HTML)
    warning = SubjectWarningSerializer(allow_null=True)
    work = AssessedWorkSerializer(many=True, help_text="What the assessment is based on.")
    history = AssessedTermSerializer(many=True)


def _incomplete() -> serializers.ListField:
    return serializers.ListField(
        child=serializers.CharField(), help_text="Names of fields that could not be read."
    )


class AssessmentsSerializer(SchoolDataSerializer):
    actionPlan = ActionPlanSerializer(allow_null=True)
    assessments = ListedAssessmentSerializer(many=True)
    incomplete = _incomplete()


class WrittenAssessmentSerializer(SchoolDataSerializer):
    assessment = WholeAssessmentSerializer()
    incomplete = _incomplete()


@describe(
    "assessments",
    AssessmentsSerializer,
    {"actionPlan": None, "assessments": [LISTED], "incomplete": []},
    summary="Written assessments of subjects",
)
class AssessmentsView(SchoolDataView):
    """What the school has published. Drafts of teachers are not shown. Not for teachers."""

    raises = (*SchoolDataView.raises, SwitchedOff)

    def school_read(self, request: Request) -> SchoolRead:
        return assessments_read()


@describe(
    "assessment",
    WrittenAssessmentSerializer,
    {"assessment": WHOLE, "incomplete": []},
    summary="One written assessment",
    parameters=[number_in_path("number")],
)
class AssessmentView(SchoolDataView):
    """One of the list in full, as far as the school has published its parts. Not for teachers."""

    raises = (*SchoolDataView.raises, SchoolItemUnknown, SwitchedOff)

    def answer(self, request: SignedInRequest, question: Question) -> CachedAnswer:
        return one_assessment(question, self.kwargs["number"])
