"""Attached files in answers."""

from typing import Any

from rest_framework import serializers

EXAMPLE = {
    "id": "512070",
    "name": "Veckobrev v 12.pdf",
    "type": "pdf",
    "sizeText": "141 KB",
    "url": "https://school.example/api/news/51207/attachments/512070",
}


class AttachmentSerializer(serializers.Serializer[Any]):
    id = serializers.CharField()
    name = serializers.CharField()
    type = serializers.ChoiceField(
        choices=["pdf", "image", "document", "other"], help_text="By the end of the name."
    )
    sizeText = serializers.CharField(allow_null=True, help_text="As the school writes it.")
    url = serializers.CharField(help_text="An address of this service.")
