"""The JSON of a note as a card in a message."""

from typing import Any

from rest_framework import serializers

from accounts.api.fields import ConstantField
from notes.models import Note


class NoteCardSerializer(serializers.Serializer[Any]):
    """A note as it was when it was shared."""

    type = ConstantField("note")
    noteId = serializers.CharField()
    title = serializers.CharField()
    preview = serializers.CharField(allow_blank=True, help_text="The beginning.")
    fullContent = serializers.CharField(allow_blank=True, help_text="Plain text.")
    status = serializers.ChoiceField(Note.Status.values)
    sharedAt = serializers.IntegerField(help_text="Unix milliseconds.")
