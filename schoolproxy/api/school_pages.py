"""GET /api/features, /api/school/staff and /api/files."""

from typing import Any

from drf_spectacular.utils import OpenApiParameter
from rest_framework import serializers
from rest_framework.request import Request

from accounts.api.fields import TextField
from accounts.requests import SignedInRequest
from schoolproxy.api.attachments import FileView, describe_file
from schoolproxy.api.school_data import SchoolDataSerializer, SchoolDataView, describe
from schoolproxy.cache import CachedAnswer, Question
from schoolproxy.errors import SwitchedOff
from schoolproxy.reads import SchoolRead
from schoolproxy.services.downloads import Download
from schoolproxy.services.features import features_read
from schoolproxy.services.school_pages import library_file, list_of_files, list_of_staff

FEATURES = (
    *("news", "inbox", "attendance", "results", "assessments", "plannings", "staff", "files"),
)
PAGES = {
    name: f"https://upstream.example/bjorkdalen/jsp/student/right_student_{page}.jsp"
    for name, page in (
        *(("news", "news"), ("inbox", "message"), ("staff", "staff"), ("files", "library")),
    )
}
MEMBER = {
    "id": None,
    "name": "Torbjörn Ekvik",
    "firstName": "Torbjörn",
    "lastName": "Ekvik",
    "roles": ["Lärare", "Mentor"],
    "email": "torbjorn.ekvik@bjorkdalen.example",
    "phone": None,
}
FILE = {
    "id": "5512",
    "kind": "file",
    "title": "Ledighetsansökan",
    "description": "Lämnas till mentor",
    "sizeText": "60 KB",
    "url": "https://school.example/api/files/5512",
}
SECTION = {"title": "Skolan", "categories": [{"title": "Blanketter", "items": [FILE]}]}
Q = OpenApiParameter(
    "q", {"type": "string", "maxLength": 200}, description="Words of names and roles."
)


class FeaturesFieldsSerializer(serializers.Serializer[Any]):
    """Whether the school has switched it on; null: its menu does not say."""

    def get_fields(self) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
        return {name: serializers.BooleanField(allow_null=True) for name in FEATURES}


class SchoolPagesSerializer(serializers.Serializer[Any]):
    """The school's own pages, for what cannot be shown here. They ask for a sign-in there."""

    news = serializers.CharField()
    inbox = serializers.CharField()
    staff = serializers.CharField()
    files = serializers.CharField()


class FeaturesSerializer(SchoolDataSerializer):
    features = FeaturesFieldsSerializer()
    pages = SchoolPagesSerializer()


class StaffMemberSerializer(serializers.Serializer[Any]):
    id = serializers.CharField(allow_null=True)
    name = serializers.CharField()
    firstName = serializers.CharField(allow_blank=True)
    lastName = serializers.CharField(allow_blank=True)
    roles = serializers.ListField(child=serializers.CharField())
    email = serializers.CharField(allow_null=True)
    phone = serializers.CharField(allow_null=True)


class StaffQuerySerializer(serializers.Serializer[Any]):
    q = TextField(required=False, allow_blank=True, max_length=200)


class StaffSerializer(SchoolDataSerializer):
    staff = StaffMemberSerializer(many=True)


class LibraryItemSerializer(serializers.Serializer[Any]):
    id = serializers.CharField(allow_null=True, help_text="Null for a link.")
    kind = serializers.ChoiceField(choices=["file", "link"])
    title = serializers.CharField()
    description = serializers.CharField(allow_null=True)
    sizeText = serializers.CharField(allow_null=True)
    url = serializers.CharField(help_text="Of a file: an address of this service.")


class LibraryCategorySerializer(serializers.Serializer[Any]):
    title = serializers.CharField(allow_blank=True)
    items = LibraryItemSerializer(many=True)


class LibrarySectionSerializer(serializers.Serializer[Any]):
    title = serializers.CharField(allow_blank=True)
    categories = LibraryCategorySerializer(many=True)


class LibrarySerializer(SchoolDataSerializer):
    sections = LibrarySectionSerializer(many=True)


@describe(
    "features",
    FeaturesSerializer,
    {"features": dict.fromkeys(FEATURES, True), "pages": PAGES},
    summary="What the school has switched on",
)
class FeaturesView(SchoolDataView):
    """By the school's own menu, kept for an hour."""

    def school_read(self, request: Request) -> SchoolRead:
        return features_read()


@describe(
    "school-staff",
    StaffSerializer,
    {"staff": [MEMBER]},
    summary="The school's list of staff",
    parameters=[Q],
)
class StaffView(SchoolDataView):
    """Who works at the school, cached for the whole school."""

    raises = (*SchoolDataView.raises, SwitchedOff)

    def answer(self, request: SignedInRequest, question: Question) -> CachedAnswer:
        query = StaffQuerySerializer(data=request.query_params)
        query.is_valid(raise_exception=True)
        return list_of_staff(question, query.validated_data.get("q", ""))


@describe(
    "files", LibrarySerializer, {"sections": [SECTION]}, summary="The school's files and links"
)
class FilesView(SchoolDataView):
    """The files and links that the school shows. Not for teachers."""

    raises = (*SchoolDataView.raises, SwitchedOff)

    def answer(self, request: SignedInRequest, question: Question) -> CachedAnswer:
        return list_of_files(question)


@describe_file("file", "A file of the school", "number")
class LibraryFileView(FileView):
    """A file of the school, as it arrives. Nothing of it is kept."""

    def open(self, question: Question) -> Download:
        return library_file(question, self.kwargs["number"])
