"""The records of the school's system that are passed on as they came.

Each has the fields that were seen there (`upstream/PROTOCOL.md`). Only those that this service
makes sure of are required; every other one may be missing or null, and there may be more.
"""

from functools import partial
from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from accounts.api.fields import ConstantField
from schoolproxy.services.submissions import WORDS


class RecordSerializer(serializers.Serializer[Any]):
    more_fields = True  # for the schema


@extend_schema_field({"type": ["integer", "string"]})
class MixedField(serializers.Field[Any, Any, Any, Any]):
    """A number at some schools and a text at others. All ids of the school's system are this."""


@extend_schema_field({"type": "number"})
class NumberField(serializers.Field[Any, Any, Any, Any]):
    """A number with or without decimals."""


MAYBE: dict[str, Any] = {"required": False, "allow_null": True}


_mixed = partial(MixedField, **MAYBE)
_text = partial(serializers.CharField, **MAYBE)
_whole = partial(serializers.IntegerField, **MAYBE)
_number = partial(NumberField, **MAYBE)
_flag = partial(serializers.BooleanField, **MAYBE)


def _texts() -> serializers.ListField:
    return serializers.ListField(child=serializers.CharField(), **MAYBE)


class AttendanceSerializer(RecordSerializer):
    lessonId = _mixed()
    status = _whole()
    statusType = _whole()
    week = _whole()
    absence = _whole()
    name = _text()
    comment = _text()
    reason = _text()


class LessonSerializer(RecordSerializer):
    """A lesson. Breaks and lunch are lessons, too."""

    startDate = serializers.CharField(help_text="YYYY-MM-DDTHH:MM, Europe/Stockholm.")
    endDate = _text()
    eventId = _mixed()
    name = _text(help_text="The subject, often as a short code.")
    description = _text(help_text="The subject in full, a remark, or empty.")
    room = _text()
    teacher = _text(help_text="Several are separated by commas without spaces.")
    teachingGroup = _text()
    eventColor = _text(help_text="#rrggbb")
    category = _text()
    dayId = _whole()
    status = _whole()
    allDay = _flag()
    editable = _flag()
    roomBooking = _flag()
    studentLessonStatus = AttendanceSerializer(**MAYBE)


class RoomSerializer(RecordSerializer):
    """A subject room."""

    id = serializers.CharField()
    activityId = serializers.IntegerField()
    subject = serializers.CharField(allow_null=True)
    groupNames = _texts()
    color = _text()
    isSubjectRoom = _flag(
        help_text="False: not a subject (such as after-school care). Clients may hide it.",
    )
    isPreSchool = _flag()
    access = _flag()
    hiddenForStudents = _flag()


# `done` of an assignment in an answer.
DONE: dict[str, Any] = {
    "allow_null": True,
    "help_text": "Ticked off by the caller. Null: cannot be read now.",
}


def _submission() -> serializers.ChoiceField:
    return serializers.ChoiceField(
        WORDS, required=False, help_text="Where it stands; for assignments only."
    )


class EntitySerializer(RecordSerializer):
    """An assignment or a planning in a room, with sanitised HTML."""

    entityType = serializers.ChoiceField(choices=["ASSIGNMENT", "PLANNING"])
    id = _mixed()
    assignmentId = _mixed()
    planningId = _mixed()
    activityId = _mixed()
    title = _text()
    subTitle = _text()
    description = _text()
    sortDate = _mixed()
    deadline = _text()
    status = _text()
    submission = _submission()
    done = serializers.BooleanField(required=False, **DONE)
    read = _flag()


class TeacherSerializer(RecordSerializer):
    id = _mixed()
    firstName = serializers.CharField(allow_blank=True)
    lastName = serializers.CharField(allow_blank=True)
    role = serializers.CharField(allow_blank=True)
    email = _text()


class RoomAssignmentSerializer(RecordSerializer):
    """A test or an assignment to hand in."""

    id = _mixed()
    title = _text()
    subTitle = _text()
    read = _flag()
    submission = _submission()
    done = serializers.BooleanField(required=False, **DONE)


class RoomRowSerializer(RoomAssignmentSerializer):
    """A row in the table of a room: an assignment or a part of a planning."""

    partId = _mixed()
    entityType = _text(help_text="`ASSIGNMENT` or `PLANNING`.")
    activityId = _mixed()
    type = _text()
    endDate = _text()
    endTime = _text()
    submissionDate = _text()
    submissionStatus = _mixed()
    resultReportStatus = _mixed()
    status = _text()
    subjectNames = _texts()


class WeekAssignmentSerializer(RoomAssignmentSerializer):
    type = ConstantField("ASSIGNMENT")
    activityId = _mixed()
    sortDate = _mixed()
    submissionStatus = _mixed()
    resultReportStatus = _mixed()


class SectionSerializer(RecordSerializer):
    id = _mixed()
    type = _text(help_text="Such as `SUBMISSION`, `RESULTREPORT`, `MATERIAL`, `GRADECRITERIA`.")
    typeId = _mixed()


class ConnectedPlanningSerializer(RecordSerializer):
    id = _mixed()
    title = _text()
    subTitle = _text()
    read = _flag()
    planningId = _mixed()
    sortDate = _mixed()


class PartialMomentSerializer(RecordSerializer):
    """A part of a test."""

    id = _mixed()
    name = _text()
    points = _number()
    max = _number()


class LevelSerializer(RecordSerializer):
    levelEnum = _text(help_text="Such as `MEET_C_LEVEL`.")
    value = _number()
    description = _text(help_text='Such as "Meets C level".')


class CriterionStepSerializer(RecordSerializer):
    gradeCriteriaGroupId = _mixed()
    text = _text(help_text="Sanitised HTML.")
    level = LevelSerializer(**MAYBE)


class CriterionSerializer(RecordSerializer):
    level = LevelSerializer(**MAYBE)
    steps = CriterionStepSerializer(many=True, **MAYBE)


class CriteriaContentSerializer(RecordSerializer):
    type = _text()
    id = _mixed()
    typeId = _mixed()
    name = _text()


class CriteriaTabSerializer(RecordSerializer):
    content = CriteriaContentSerializer(**MAYBE)
    assessedCriteria = CriterionSerializer(many=True, **MAYBE)


class SelectedCriterionSerializer(CriterionSerializer):
    """Either `gradeStep` and `text`, or a criterion."""

    gradeStep = _text()
    text = _text(help_text="Sanitised HTML.")
