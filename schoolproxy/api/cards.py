"""The JSON of a grade as a card in a message."""

from typing import Any

from rest_framework import serializers

from accounts.api.fields import ConstantField


class GradeCardSerializer(serializers.Serializer[Any]):
    """The result of an assignment as it was when it was shared. Null: the school does not say."""

    type = ConstantField("grade")
    assignmentId = serializers.CharField()
    assignmentTitle = serializers.CharField(allow_null=True)
    subjectName = serializers.CharField(allow_null=True)
    assignmentType = serializers.CharField(allow_null=True)
    grade = serializers.CharField(allow_null=True, help_text="A letter.")
    confidence = serializers.ChoiceField(
        ["confirmed", "estimated"],
        allow_null=True,
        help_text="Whether all assessed criteria have that grade.",
    )
    totalPoints = serializers.CharField(allow_null=True, help_text='Such as "18.5 / 26".')
    sharedAt = serializers.IntegerField(help_text="Unix milliseconds.")
