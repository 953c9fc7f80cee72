"""/api/notes: what a person wrote down, as rich text or plain."""

from typing import Any, Final
from uuid import UUID

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiExample, OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.api.base import SuccessSerializer
from accounts.api.fields import TextField
from accounts.errors import InvalidInput
from accounts.identifiers import read_id
from accounts.requests import SignedInRequest
from notes.api.note_fields import CONTENT, ContentField, DocumentField, StatusField, VersionField
from notes.errors import NotThere, StaleVersion, TooManyKept
from notes.limits import (
    DOCUMENT_DEPTH,
    MAX_PAGE_NOTES,
    MAX_TITLE,
    NOTE_BODY_BYTES,
    PAGE_NOTES,
)
from notes.models import Note
from notes.services.note_view import render_note
from notes.services.notes import add_note, change_note, list_notes, note_for_owner, remove_note

TAGS: Final = ["notes"]
DOCUMENT_EXAMPLE: Final = {
    "type": "doc",
    "content": [
        {
            "type": "heading",
            "attrs": {"level": 2},
            "content": [{"type": "text", "text": "Till provet"}],
        },
        {
            "type": "paragraph",
            "content": [
                {"type": "text", "text": "Läs om "},
                {"type": "text", "text": "fotosyntesen", "marks": [{"type": "bold"}]},
            ],
        },
    ],
}
ID: Final = OpenApiParameter(
    "id",
    {"type": "string", "pattern": "^[0-9a-f]{32}$"},
    required=True,
    description="The note's id.",
)
LIMIT: Final = OpenApiParameter(
    "limit",
    {"type": "integer", "minimum": 1, "maximum": MAX_PAGE_NOTES, "default": PAGE_NOTES},
    description="At most so many. A page of long notes holds fewer.",
)
CURSOR: Final = OpenApiParameter(
    "cursor", OpenApiTypes.STR, description="`next` of the page before."
)


class PageQuerySerializer(serializers.Serializer[Any]):
    limit = serializers.IntegerField(min_value=1, max_value=MAX_PAGE_NOTES, default=PAGE_NOTES)
    cursor = serializers.CharField(default=None, allow_null=True)


class NoteRequestSerializer(serializers.Serializer[Any]):
    title = TextField(
        required=False, allow_blank=True, max_length=MAX_TITLE, help_text='Default: "Untitled".'
    )
    content = ContentField(required=False, help_text=CONTENT)
    status = StatusField(required=False)


class NoteChangeSerializer(NoteRequestSerializer):
    version = VersionField(
        required=False, help_text="The version that this change began with: 409 if it is stale."
    )


class NoteSerializer(serializers.Serializer[Any]):
    id = serializers.CharField()
    title = serializers.CharField()
    content = serializers.CharField(allow_blank=True)
    doc = DocumentField()
    excerpt = serializers.CharField(allow_blank=True)
    status = serializers.ChoiceField([Note.DRAFT, Note.PUBLISHED, Note.ARCHIVED])
    shareToken = serializers.CharField(allow_null=True)
    shareUrl = serializers.CharField(allow_null=True)
    version = serializers.IntegerField()
    createdAt = serializers.IntegerField(help_text="Unix milliseconds.")
    updatedAt = serializers.IntegerField(help_text="Unix milliseconds.")


class NoteAnswerSerializer(SuccessSerializer):
    note = NoteSerializer()


class NoteListSerializer(SuccessSerializer):
    notes = NoteSerializer(many=True)
    next = serializers.CharField(allow_null=True, help_text="Cursor of the next page.")


def fields_of(request: SignedInRequest, form: type[NoteRequestSerializer]) -> dict[str, Any]:
    """What the body names. Raises: ValidationError, InvalidInput."""
    filled = form(data=request.data)
    filled.is_valid(raise_exception=True)
    fields: dict[str, Any] = filled.validated_data
    return fields


def id_in_query(request: SignedInRequest) -> UUID:
    """The note that the query names. Raises: InvalidInput without an id, NotThere for what can be
    no id."""
    text = request.query_params.get("id")
    if not text:
        raise InvalidInput({"id": ["This field is required."]})
    note_id = read_id(text)
    if note_id is None:
        raise NotThere
    return note_id


def change(request: SignedInRequest, note_id: UUID, fields: dict[str, Any]) -> Response:
    version = fields.pop("version", None)
    note = change_note(
        account_id=request.user.account_id, note_id=note_id, fields=fields, version=version
    )
    return Response({"success": True, "note": render_note(note)})


def remove(request: SignedInRequest, note_id: UUID) -> Response:
    remove_note(account_id=request.user.account_id, note_id=note_id)
    return Response({"success": True})


_EXAMPLE: Final = OpenApiExample(
    "a document", {"title": "Biologi", "content": DOCUMENT_EXAMPLE}, request_only=True
)
_ONE: Final[dict[str, Any]] = {"tags": TAGS, "responses": NoteAnswerSerializer}
_GONE: Final[dict[str, Any]] = {
    "tags": TAGS,
    "request": None,
    "responses": {200: SuccessSerializer},
}
_CHANGE: Final[dict[str, Any]] = {
    "description": "What is not named stays. A change of another version than the stored one is "
    "409, with the stored `note` in the answer.",
    "request": NoteChangeSerializer,
    "examples": [
        OpenApiExample("a new title", {"title": "Biologi 1", "version": 3}, request_only=True)
    ],
    **_ONE,
}


class NoteBodyView(APIView):
    """Takes what a document needs: more bytes and levels than other bodies have."""

    max_body_bytes = NOTE_BODY_BYTES
    max_body_depth = DOCUMENT_DEPTH + 1


class NoteListView(NoteBodyView):
    """The account's notes. PATCH and DELETE name one in the query, as some clients do."""

    raises = (NotThere, TooManyKept, StaleVersion)

    @extend_schema(
        operation_id="notes",
        summary="A page of one's notes, the one changed last first",
        tags=TAGS,
        parameters=[LIMIT, CURSOR],
        responses=NoteListSerializer,
    )
    def get(self, request: SignedInRequest) -> Response:
        query = PageQuerySerializer(data=request.query_params.dict())
        query.is_valid(raise_exception=True)
        page = list_notes(request.user.account_id, **query.validated_data)
        notes = [render_note(note) for note in page.notes]
        return Response({"success": True, "notes": notes, "next": page.next})

    @extend_schema(
        operation_id="note_add",
        summary="A new note",
        description="An account keeps at most 2,000.",
        tags=TAGS,
        request=NoteRequestSerializer,
        responses={201: NoteAnswerSerializer},
        examples=[_EXAMPLE],
    )
    def post(self, request: SignedInRequest) -> Response:
        fields = fields_of(request, NoteRequestSerializer)
        note = add_note(account_id=request.user.account_id, fields=fields)
        return Response({"success": True, "note": render_note(note)}, status=201)

    @extend_schema(
        operation_id="note_change_by_query",
        summary="Change one, named in the query",
        parameters=[ID],
        **_CHANGE,
    )
    def patch(self, request: SignedInRequest) -> Response:
        fields = fields_of(request, NoteChangeSerializer)  # what is wrong is said before 404
        return change(request, id_in_query(request), fields)

    @extend_schema(
        operation_id="note_remove_by_query",
        summary="Remove one, named in the query",
        parameters=[ID],
        **_GONE,
    )
    def delete(self, request: SignedInRequest) -> Response:
        return remove(request, id_in_query(request))


class NoteView(NoteBodyView):
    """One of the account's notes."""

    raises = (NotThere, StaleVersion)

    @extend_schema(operation_id="note", summary="One note", **_ONE)
    def get(self, request: SignedInRequest, note_id: UUID) -> Response:
        note = note_for_owner(request.user.account_id, note_id)
        return Response({"success": True, "note": render_note(note)})

    @extend_schema(operation_id="note_put", summary="The same as PATCH", **_CHANGE)
    def put(self, request: SignedInRequest, note_id: UUID) -> Response:
        return change(request, note_id, fields_of(request, NoteChangeSerializer))

    @extend_schema(operation_id="note_change", summary="Change what the body names", **_CHANGE)
    def patch(self, request: SignedInRequest, note_id: UUID) -> Response:
        return change(request, note_id, fields_of(request, NoteChangeSerializer))

    @extend_schema(operation_id="note_remove", summary="Remove it, and its link", **_GONE)
    def delete(self, request: SignedInRequest, note_id: UUID) -> Response:
        return remove(request, note_id)
