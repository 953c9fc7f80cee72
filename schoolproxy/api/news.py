"""GET /api/news: the news of the start page."""

from typing import Any

from rest_framework import serializers
from rest_framework.request import Request

from schoolproxy.api.school_data import SchoolDataSerializer, SchoolDataView, describe
from schoolproxy.reads import SchoolRead
from schoolproxy.services.news import news_read

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
    """All fields are plain text."""

    id = serializers.CharField(allow_null=True)
    title = serializers.CharField()
    preview = serializers.CharField(allow_null=True)
    category = serializers.CharField(allow_null=True)


class NewsSerializer(SchoolDataSerializer):
    data = NewsItemSerializer(many=True)  # type: ignore[assignment]  # a field of that name


@describe("news", NewsSerializer, EXAMPLE, summary="The news of the start page")
class NewsView(SchoolDataView):
    """The news in the order of the start page, without duplicates."""

    def school_read(self, request: Request) -> SchoolRead:
        return news_read()
