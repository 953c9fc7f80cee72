"""/api/notes: the notes of an account, as rich text or plain text."""

from typing import Any, Final
from uuid import UUID

from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework import serializers
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.api.base import SuccessSerializer, success
from accounts.api.fields import TextField, WholeNumberField
from accounts.errors import ChangedTooOften, NotFound, TooManyKept
from accounts.requests import SignedInRequest
from notes.api.fields import ContentField
from notes.api.query_id import ID, id_in_query
from notes.errors import QuotaExceeded, StaleVersion
from notes.limits import DOCUMENT_DEPTH, MAX_PAGE_NOTES, MAX_TITLE, NOTE_BODY_BYTES, PAGE_NOTES
from notes.models import Note
from notes.services.notes import (
    add_note,
    change_note,
    list_notes,
    note_for_owner,
    remove_note,
    render_note,
)

CONTENT: Final = "A document (an object, or a text with its JSON), or plain text."
DOCUMENT: Final = {
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


class PageQuerySerializer(serializers.Serializer[Any]):
    limit = serializers.IntegerField(
        min_value=1,
        max_value=MAX_PAGE_NOTES,
        default=PAGE_NOTES,
        help_text="The maximum number of notes. A page of long notes has fewer.",
    )
    cursor = serializers.CharField(
        required=False, allow_blank=True, help_text="`next` of the previous page."
    )


class NoteRequestSerializer(serializers.Serializer[Any]):
    title = TextField(
        required=False, allow_blank=True, max_length=MAX_TITLE, help_text='Default: "Untitled".'
    )
    content = ContentField(required=False, help_text=CONTENT)
    status = serializers.ChoiceField(Note.Status.values, required=False)


class NoteChangeSerializer(NoteRequestSerializer):
    version = WholeNumberField(
        required=False,
        min_value=1,
        max_value=2**63 - 1,
        help_text="The version that this change started from: 409 if it is stale.",
    )


class NoteSerializer(serializers.Serializer[Any]):
    id = serializers.CharField()
    title = serializers.CharField()
    content = serializers.CharField(allow_blank=True)
    doc = ContentField()
    excerpt = serializers.CharField(allow_blank=True)
    status = serializers.ChoiceField(Note.Status.values)
    shareToken = serializers.CharField(allow_null=True)
    shareUrl = serializers.CharField(allow_null=True)
    version = serializers.IntegerField()
    createdAt = serializers.IntegerField(help_text="Unix milliseconds.")
    updatedAt = serializers.IntegerField(help_text="Unix milliseconds.")


NoteAnswer = success("NoteAnswer", note=NoteSerializer())


class NoteListSerializer(SuccessSerializer):
    notes = NoteSerializer(many=True)
    next = serializers.CharField(allow_null=True, help_text="Cursor of the next page.")


def change(request: SignedInRequest, note_id: UUID | None = None) -> Response:
    body = NoteChangeSerializer(data=request.data)
    body.is_valid(raise_exception=True)
    fields = body.validated_data
    version = fields.pop("version", None)
    note = change_note(
        account_id=request.user.account_id,
        note_id=note_id or id_in_query(request),
        fields=fields,
        version=version,
    )
    return Response({"success": True, "note": render_note(note)})


def remove(request: SignedInRequest, note_id: UUID | None = None) -> Response:
    remove_note(account_id=request.user.account_id, note_id=note_id or id_in_query(request))
    return Response({"success": True})


_REMOVE: dict[str, Any] = {"request": None, "responses": {200: SuccessSerializer}}
_CHANGE: dict[str, Any] = {
    "description": "Fields that the body leaves out stay as they are. If `version` is not the "
    "stored one, the answer is 409 with the stored `note`.",
    "request": NoteChangeSerializer,
    "examples": [
        OpenApiExample("a new title", {"title": "Biologi 1", "version": 3}, request_only=True)
    ],
    "responses": NoteAnswer,
}


class NoteBodyView(APIView):
    """Accepts larger and deeper bodies than other views, for documents."""

    max_body_bytes = NOTE_BODY_BYTES
    max_body_depth = DOCUMENT_DEPTH + 1


@extend_schema(tags=["notes"])
class NoteListView(NoteBodyView):
    # Some clients send the id of a PATCH or DELETE in the query.
    raises = (NotFound, TooManyKept, QuotaExceeded, StaleVersion, ChangedTooOften)

    @extend_schema(
        operation_id="notes",
        summary="A page of your notes, the last changed first",
        parameters=[PageQuerySerializer],
        responses=NoteListSerializer,
    )
    def get(self, request: SignedInRequest) -> Response:
        query = PageQuerySerializer(data=request.query_params.dict())
        query.is_valid(raise_exception=True)
        notes, cursor = list_notes(request.user.account_id, **query.validated_data)
        rendered = [render_note(note) for note in notes]
        return Response({"success": True, "notes": rendered, "next": cursor})

    @extend_schema(
        operation_id="note_add",
        summary="Add a note",
        description="An account has at most 2,000 notes.",
        request=NoteRequestSerializer,
        responses={201: NoteAnswer},
        examples=[
            OpenApiExample(
                "a document", {"title": "Biologi", "content": DOCUMENT}, request_only=True
            )
        ],
    )
    def post(self, request: SignedInRequest) -> Response:
        body = NoteRequestSerializer(data=request.data)
        body.is_valid(raise_exception=True)
        note = add_note(account_id=request.user.account_id, fields=body.validated_data)
        return Response({"success": True, "note": render_note(note)}, status=201)

    @extend_schema(
        operation_id="note_change_by_query",
        summary="Change the note that the query names",
        parameters=[ID],
        **_CHANGE | {"description": "The same as at its own path."},
    )
    def patch(self, request: SignedInRequest) -> Response:
        return change(request)

    @extend_schema(
        operation_id="note_remove_by_query",
        summary="Remove the note that the query names",
        parameters=[ID],
        **_REMOVE,
    )
    def delete(self, request: SignedInRequest) -> Response:
        return remove(request)


@extend_schema(tags=["notes"])
class NoteView(NoteBodyView):
    raises = (NotFound, QuotaExceeded, StaleVersion, ChangedTooOften)

    @extend_schema(operation_id="note", summary="Read a note", responses=NoteAnswer)
    def get(self, request: SignedInRequest, note_id: UUID) -> Response:
        note = note_for_owner(request.user.account_id, note_id)
        return Response({"success": True, "note": render_note(note)})

    @extend_schema(
        operation_id="note_put",
        summary="Change a note",
        **_CHANGE | {"description": "The same as PATCH."},
    )
    def put(self, request: SignedInRequest, note_id: UUID) -> Response:
        return change(request, note_id)

    @extend_schema(operation_id="note_change", summary="Change a note", **_CHANGE)
    def patch(self, request: SignedInRequest, note_id: UUID) -> Response:
        return change(request, note_id)

    @extend_schema(operation_id="note_remove", summary="Remove a note and its link", **_REMOVE)
    def delete(self, request: SignedInRequest, note_id: UUID) -> Response:
        return remove(request, note_id)
