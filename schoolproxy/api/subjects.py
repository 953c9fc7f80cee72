"""GET /api/subjects and /api/subjects/{id}: subject rooms."""

from collections.abc import Iterable, Iterator
from typing import Any

from rest_framework import serializers
from rest_framework.request import Request

from schoolproxy.api.done import AssignmentsView
from schoolproxy.api.records import (
    EntitySerializer,
    RoomAssignmentSerializer,
    RoomRowSerializer,
    RoomSerializer,
    TeacherSerializer,
)
from schoolproxy.api.school_data import (
    SchoolDataSerializer,
    describe,
    number_in_path,
)
from schoolproxy.reads import Fields, SchoolRead
from schoolproxy.services.subjects import subject_read, subjects_read

ROOM = {
    "activityId": 1204,
    "subject": "Matematik",
    "groupNames": ["8C"],
    "color": "#9fe2a0",
    "isSubjectRoom": True,
    "id": "1204",
}
EXAMPLE = {
    "subjects": [
        {
            **ROOM,
            "entities": [
                {
                    "id": 88121,
                    "planningId": None,
                    "title": "Prov kap 4",
                    "subTitle": "tis 17 mars 08:20, Prov, Matematik",
                    "sortDate": "2026-03-17 08:20",
                    "read": False,
                    "entityType": "ASSIGNMENT",
                    "submission": "unknown",
                    "done": False,
                }
            ],
            "unreadEntities": None,
            "teachers": [
                {
                    "id": 902,
                    "firstName": "Torbjörn",
                    "lastName": "Ekvik",
                    "role": "Undervisande lärare",
                }
            ],
            "incomplete": ["unreadEntities"],
        }
    ]
}
ROW = {
    "id": 88121,
    "title": "Prov kap 4",
    "subTitle": "tis 17 mars 08:20, Prov, Matematik",
    "submission": "not_required",
    "done": False,
}
DETAIL_EXAMPLE = {
    "subject": ROOM,
    "overview": {"examinations": [ROW], "submissions": []},
    "assignments": [{**ROW, "entityType": "ASSIGNMENT", "status": "UPCOMING"}],
}


class SubjectSerializer(RoomSerializer):
    entities = EntitySerializer(many=True)
    unreadEntities = serializers.IntegerField(allow_null=True)
    teachers = TeacherSerializer(many=True, help_text="Without duplicates.")
    incomplete = serializers.MultipleChoiceField(
        choices=["entities", "unreadEntities", "teachers"],
        help_text="The parts that could not be fetched; they are empty or null.",
    )


class SubjectsSerializer(SchoolDataSerializer):
    subjects = SubjectSerializer(many=True)


class OverviewSerializer(serializers.Serializer[Any]):
    examinations = RoomAssignmentSerializer(many=True)
    submissions = RoomAssignmentSerializer(many=True)


class SubjectDetailSerializer(SchoolDataSerializer):
    subject = RoomSerializer()
    overview = OverviewSerializer()
    assignments = RoomRowSerializer(many=True)


@describe("subjects", SubjectsSerializer, EXAMPLE, summary="All subject rooms")
class SubjectListView(AssignmentsView):
    """All subject rooms with their entities, unread counts and teachers."""

    def school_read(self, request: Request) -> SchoolRead:
        return subjects_read()

    def assignments_in(self, fields: Fields) -> Iterable[Fields]:
        for subject in fields["subjects"]:
            yield from _without_plannings(subject["entities"])


@describe(
    "subject",
    SubjectDetailSerializer,
    DETAIL_EXAMPLE,
    summary="One subject room",
    parameters=[number_in_path("room")],
)
class SubjectView(AssignmentsView):
    """One subject room: its tests, submissions and all its assignments."""

    def school_read(self, request: Request) -> SchoolRead:
        return subject_read(room=self.kwargs["room"])

    def assignments_in(self, fields: Fields) -> Iterable[Fields]:
        for rows in (*fields["overview"].values(), fields["assignments"]):
            yield from _without_plannings(rows)


def _without_plannings(rows: Iterable[Fields]) -> Iterator[Fields]:
    return (row for row in rows if row.get("entityType") != "PLANNING")
