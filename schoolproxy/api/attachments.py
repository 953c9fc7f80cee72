"""Files of the school: as answers name them, and their bytes."""

from typing import Any

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import (
    OpenApiParameter,
    OpenApiResponse,
    extend_schema,
    extend_schema_view,
)
from rest_framework import serializers
from rest_framework.views import APIView

from accounts.api.base import StreamedResponse
from accounts.requests import SignedInRequest
from limits import TooManyRequests
from schoolproxy.api.child_choice import CHILD, ORG, read_choice
from schoolproxy.api.school_data import SchoolDataView, number_in_path
from schoolproxy.cache import Question
from schoolproxy.errors import SchoolItemUnknown, SwitchedOff
from schoolproxy.services.downloads import Download, limit_sending
from upstream.errors import FileTooLarge

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


class InlineSerializer(serializers.Serializer[Any]):
    """The query of a file."""

    inline = serializers.ChoiceField(choices=["0", "1"], default="0")


INLINE = OpenApiParameter(
    "inline", enum=["0", "1"], default="0", description="`1`: show a picture or PDF, save nothing."
)


class FileView(APIView):
    """The bytes of a file. A subclass says which."""

    raises = (*SchoolDataView.raises, SchoolItemUnknown, SwitchedOff, FileTooLarge, TooManyRequests)

    def open(self, question: Question) -> Download:
        raise NotImplementedError

    # No docstring: the schema describes an operation with that of its view.
    def get(self, request: SignedInRequest, **path: Any) -> StreamedResponse:
        query = InlineSerializer(data=request.query_params)
        query.is_valid(raise_exception=True)
        limit_sending(request.META)
        download = self.open(Question(request.user, read_choice(request.query_params)))
        headers = download.headers(inline=query.validated_data["inline"] == "1")
        return StreamedResponse(download, headers=headers)


def describe_file(operation_id: str, summary: str, *numbers: str) -> Any:
    """A class decorator: the schema of a `FileView`. `numbers` are the names in its path."""
    return extend_schema_view(
        get=extend_schema(
            operation_id=operation_id,
            summary=summary,
            tags=["school data"],
            parameters=[*map(number_in_path, numbers), INLINE, CHILD, ORG],
            responses={
                (200, "application/octet-stream"): OpenApiResponse(
                    OpenApiTypes.BINARY,
                    description="The type is by content. A transfer that breaks off is not whole.",
                )
            },
        )
    )
