"""GET /api/news: what the start page tells."""

from typing import Any

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.requests import SignedInRequest
from schoolproxy.api.school_data import (
    SchoolDataSerializer,
    SchoolDataView,
    asked_of,
    describe,
    respond,
)
from schoolproxy.services.news import COPY_NAME, read_news

EXAMPLE = {
    "data": [
        {
            "id": "51207",
            "title": "Studiedag fredag 20 mars",
            "preview": "Skolan är stängd för eleverna …",
            "category": "Skolledningen",
        }
    ]
}


class NewsItemSerializer(serializers.Serializer[Any]):
    """Plain text throughout."""

    id = serializers.CharField(allow_null=True)
    title = serializers.CharField()
    preview = serializers.CharField(allow_null=True)
    category = serializers.CharField(allow_null=True)


class NewsSerializer(SchoolDataSerializer):
    data = NewsItemSerializer(many=True)  # type: ignore[assignment]  # a field of that name


class NewsView(SchoolDataView):
    """The news on the start page, in its order, each once."""

    def copy_name(self, request: Request) -> str:
        return COPY_NAME

    @describe("news", NewsSerializer, EXAMPLE, summary="What the start page tells")
    def get(self, request: SignedInRequest) -> Response:
        return respond(request, read_news(request.user, asked=asked_of(request)))
