"""GET /api/news: the news of the start page; /api/news/articles and /api/news/{id}: in full."""

from typing import Any

from drf_spectacular.utils import OpenApiParameter
from rest_framework import serializers
from rest_framework.request import Request

from accounts.requests import SignedInRequest
from schoolproxy.api.attachments import EXAMPLE as ATTACHMENT
from schoolproxy.api.attachments import AttachmentSerializer, FileView, describe_file
from schoolproxy.api.school_data import (
    SchoolDataSerializer,
    SchoolDataView,
    describe,
    number_in_path,
)
from schoolproxy.cache import CachedAnswer, Question
from schoolproxy.errors import SchoolItemUnknown, SwitchedOff
from schoolproxy.reads import SchoolRead
from schoolproxy.services.downloads import Download
from schoolproxy.services.news import (
    KINDS,
    article_file,
    list_of_articles,
    news_read,
    one_article,
)

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
LISTED = {
    "id": "51207",
    "title": "Studiedag fredag 20 mars",
    "preview": "Skolan är stängd för eleverna …",
    "category": "Skolledningen",
    "publishedAt": "2026-03-10",
    "author": {"name": "Åsa Lindroos", "isStaff": True},
    "hasAttachments": True,
    "older": False,
}
ARTICLE = LISTED | {
    "html": "<p>Skolan är stängd för eleverna.</p>",
    "text": "Skolan är stängd för eleverna.",
    "groups": ["8C"],
    "visibleUntil": "2026-03-31",
    "question": {"label": "Vi kommer på mötet"},
    "attachments": [ATTACHMENT],
}
DATE: dict[str, Any] = {"allow_null": True, "help_text": "YYYY-MM-DD."}
TYPE = OpenApiParameter("type", enum=[*KINDS], default="current")


class NewsItemSerializer(serializers.Serializer[Any]):
    """All fields are plain text."""

    id = serializers.CharField(allow_null=True)
    title = serializers.CharField()
    preview = serializers.CharField(allow_null=True)
    category = serializers.CharField(allow_null=True)


class NewsSerializer(SchoolDataSerializer):
    data = NewsItemSerializer(many=True)  # type: ignore[assignment]  # a field of that name


class WriterSerializer(serializers.Serializer[Any]):
    name = serializers.CharField()
    isStaff = serializers.BooleanField()


class ListedArticleSerializer(serializers.Serializer[Any]):
    id = serializers.CharField()
    title = serializers.CharField()
    preview = serializers.CharField(allow_null=True)
    category = serializers.CharField(allow_null=True)
    publishedAt = serializers.CharField(**DATE)
    author = WriterSerializer(allow_null=True)
    hasAttachments = serializers.BooleanField()
    older = serializers.BooleanField()


class QuestionSerializer(serializers.Serializer[Any]):
    label = serializers.CharField(  # type: ignore[assignment]  # a field of that name
        help_text="What the author asks. It is answered at the school."
    )


class ArticleSerializer(ListedArticleSerializer):
    html = serializers.CharField(
        help_text="Sanitised. Pictures are attachments of the same article.", allow_blank=True
    )
    text = serializers.CharField(help_text="The same as plain text.", allow_blank=True)
    groups = serializers.ListField(child=serializers.CharField())
    visibleUntil = serializers.CharField(**DATE)
    question = QuestionSerializer(allow_null=True)
    attachments = AttachmentSerializer(many=True)


class ArticlesSerializer(SchoolDataSerializer):
    articles = ListedArticleSerializer(many=True)


class OneArticleSerializer(SchoolDataSerializer):
    article = ArticleSerializer()


class TypeSerializer(serializers.Serializer[Any]):
    """The query of the list."""

    type = serializers.ChoiceField(choices=[*KINDS], default="current")


@describe("news", NewsSerializer, EXAMPLE, summary="The news of the start page")
class NewsView(SchoolDataView):
    """The news in the order of the start page, without duplicates."""

    def school_read(self, request: Request) -> SchoolRead:
        return news_read()


@describe(
    "articles",
    ArticlesSerializer,
    {"articles": [LISTED]},
    summary="The articles of the news page",
    parameters=[TYPE],
)
class ArticlesView(SchoolDataView):
    """The current articles, or the older ones, the newest first. Not for teachers."""

    def answer(self, request: SignedInRequest, question: Question) -> CachedAnswer:
        query = TypeSerializer(data=request.query_params)
        query.is_valid(raise_exception=True)
        return list_of_articles(question, KINDS[query.validated_data["type"]])


@describe(
    "article",
    OneArticleSerializer,
    {"article": ARTICLE},
    summary="One article",
    parameters=[number_in_path("number")],
)
class ArticleView(SchoolDataView):
    """One article in full. Nothing is marked as read at the school. Not for teachers."""

    raises = (*SchoolDataView.raises, SchoolItemUnknown, SwitchedOff)

    def answer(self, request: SignedInRequest, question: Question) -> CachedAnswer:
        return one_article(question, self.kwargs["number"])


@describe_file("article-file", "A file of an article", "number", "file")
class ArticleFileView(FileView):
    """A file of an article, as it arrives from the school. Nothing of it is kept."""

    def open(self, question: Question) -> Download:
        return article_file(question, self.kwargs["number"], self.kwargs["file"])
