"""/api/notes/{id}/share and /api/notes/shared/{token}: show a note to everyone with its link."""

from typing import Any
from uuid import UUID

from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.api.base import PublicView, SuccessSerializer, success
from accounts.errors import ChangedTooOften, NotFound
from accounts.requests import SignedInRequest
from accounts.timestamps import milliseconds
from limits import TooManyRequests
from notes.api.fields import ContentField
from notes.errors import TakenDown
from notes.services.notes import render_document, share_url
from notes.services.share_links import read_shared_note, revoke_link, share_note


class LinkSerializer(SuccessSerializer):
    token = serializers.CharField(help_text="Secret: whoever knows it can read the note.")
    url = serializers.CharField(help_text="The address of the note's page.")


class SharedNoteSerializer(serializers.Serializer[Any]):
    title = serializers.CharField()
    content = serializers.CharField(allow_blank=True)
    doc = ContentField()
    html = serializers.CharField(allow_blank=True, help_text="Sanitised HTML.")
    updatedAt = serializers.IntegerField(help_text="Unix milliseconds.")


@extend_schema(tags=["notes"])
class NoteShareView(APIView):
    raises = (NotFound, TakenDown, ChangedTooOften)

    @extend_schema(
        operation_id="note_share",
        summary="Create a link to a note",
        description=(
            "The previous link stops working. The note becomes published. A note whose link staff "
            "have ended cannot be shared again."
        ),
        request=None,
        responses={201: LinkSerializer},
        examples=[
            OpenApiExample(
                "a link",
                {
                    "success": True,
                    "token": "mWx2m0F0…GqYw",
                    "url": "https://school.example/shared/mWx2m0F0…GqYw",
                },
                status_codes=["201"],
            )
        ],
    )
    def post(self, request: SignedInRequest, note_id: UUID) -> Response:
        token = share_note(account_id=request.user.account_id, note_id=note_id)
        return Response({"success": True, "token": token, "url": share_url(token)}, status=201)

    @extend_schema(
        operation_id="note_unshare",
        summary="Revoke the link to a note",
        description="Also succeeds if there is no link. A published note becomes a draft.",
        request=None,
        responses={200: SuccessSerializer},
    )
    def delete(self, request: SignedInRequest, note_id: UUID) -> Response:
        revoke_link(account_id=request.user.account_id, note_id=note_id)
        return Response({"success": True})


@extend_schema(tags=["notes"])
class SharedNoteView(PublicView):
    """A shared note as JSON. `notes/pages.py` has the page."""

    raises = (NotFound, TooManyRequests)

    @extend_schema(
        operation_id="note_shared",
        summary="Read a shared note",
        responses=success("SharedNoteAnswer", note=SharedNoteSerializer()),
    )
    def get(self, request: Request, token: str) -> Response:
        note, html = read_shared_note(
            token=token, client_address=request.META.get("REMOTE_ADDR", "")
        )
        shared = {
            "title": note.title,
            "content": note.content,
            "doc": render_document(note),
            "html": html,
            "updatedAt": milliseconds(note.updated_at),
        }
        headers = {"X-Robots-Tag": "noindex, nofollow"}
        return Response({"success": True, "note": shared}, headers=headers)
