"""A change of the schedule in JSON, as notifications and the app of the school have it."""

from typing import Any, Final

from rest_framework import serializers

# What can happen to a lesson.
LESSON_CHANGES: Final = ("cancelled", "added", "moved", "room", "teacher")


class ChangedLessonSerializer(serializers.Serializer[Any]):
    eventId = serializers.CharField(allow_null=True)
    name = serializers.CharField(allow_blank=True)
    startDate = serializers.CharField(help_text="YYYY-MM-DDTHH:MM, Europe/Stockholm.")
    endDate = serializers.CharField(allow_null=True)
    room = serializers.CharField(allow_blank=True)
    teacher = serializers.CharField(allow_blank=True)


class LessonChangeSerializer(serializers.Serializer[Any]):
    change = serializers.ChoiceField(choices=LESSON_CHANGES)
    date = serializers.DateField()
    lesson = ChangedLessonSerializer(allow_null=True, help_text="Before; null if it was added.")
    after = ChangedLessonSerializer(allow_null=True, help_text="Null if it was cancelled.")
