"""Notes and countdowns in an import file."""

from collections.abc import Iterator, Mapping
from typing import Any

from django.utils.translation import gettext_lazy as _
from rest_framework import serializers

from accounts.api.imports import ImportSerializer, PastField, ReferenceField
from accounts.import_types import ImportKind, Reference
from notes.api.countdowns import CountdownRequestSerializer
from notes.api.notes import NoteRequestSerializer
from notes.services.imports import save_countdowns, save_notes


class OwnedSerializer(ImportSerializer):
    """What one person has for themselves."""

    owner = ReferenceField()
    createdAt = PastField()
    updatedAt = PastField(required=False)

    def validate(self, fields: dict[str, Any]) -> dict[str, Any]:
        if fields.get("updatedAt", fields["createdAt"]) < fields["createdAt"]:
            raise serializers.ValidationError({"updatedAt": [_("This is before `createdAt`.")]})
        return fields


class NoteImportSerializer(OwnedSerializer, NoteRequestSerializer):
    """As in a request, with owner and times."""


class CountdownImportSerializer(OwnedSerializer, CountdownRequestSerializer):
    """As in a request, with owner and times."""


def _owner(fields: Mapping[str, Any]) -> Iterator[Reference]:
    yield "person", fields["owner"]


NOTES = ImportKind(name="note", serializer=NoteImportSerializer, save=save_notes, references=_owner)
COUNTDOWNS = ImportKind(
    name="countdown",
    serializer=CountdownImportSerializer,
    save=save_countdowns,
    references=_owner,
)
