"""/api/countdowns: the dates that an account counts down to."""

from typing import Any, Final
from uuid import UUID

from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework import serializers
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.api.base import SuccessSerializer, success
from accounts.api.fields import MillisecondsField, TrueOrFalseField, VisibleTextField
from accounts.emoji import MAX_LENGTH, is_emoji
from accounts.errors import NotFound, TooManyKept
from accounts.requests import SignedInRequest
from notes.api.fields import AliasChoiceField, ClearableTextField, TargetDateField
from notes.api.query_id import ID, id_in_query
from notes.models.countdowns import CATEGORIES, THEMES
from notes.services.countdowns import (
    add_countdown,
    change_countdown,
    list_countdowns,
    remove_countdown,
)

EXAMPLE: Final = {
    "title": "Nationella prov",
    "description": "Matematik, del B",
    "targetDate": "2027-05-11",
    "category": "exam",
    "theme": "sky",
    "emoji": "📐",
}
STORED: Final = EXAMPLE | {
    "id": "0b6f4c1e8f9a4d5c8b7a6e5d4c3b2a19",
    "targetDate": 1809986400000,
    "pinned": False,
    "archived": False,
    "createdAt": 1795257000000,
    "updatedAt": 1795257000000,
}


def one_emoji(text: str) -> None:
    if text and not is_emoji(text):
        raise serializers.ValidationError(_("Give one emoji."))


class CountdownRequestSerializer(serializers.Serializer[Any]):
    title = VisibleTextField(max_length=80)
    description = ClearableTextField(max_length=500)
    targetDate = TargetDateField(source="target_at")
    category = AliasChoiceField(
        CATEGORIES,
        aliases={"vacation": "holiday"},
        required=False,
        help_text="Default: custom. `vacation` means holiday.",
    )
    theme = AliasChoiceField(
        THEMES,
        aliases={"blue": "sky", "green": "emerald"},
        required=False,
        help_text="Default: violet. `blue` means sky, `green` means emerald.",
    )
    emoji = ClearableTextField(
        max_length=MAX_LENGTH, validators=[one_emoji], help_text="One emoji or none."
    )
    pinned = TrueOrFalseField(required=False)
    archived = TrueOrFalseField(required=False)


class CountdownSerializer(serializers.Serializer[Any]):
    id = serializers.CharField(source="pk.hex")
    title = serializers.CharField()
    description = serializers.CharField(allow_blank=True)
    targetDate = MillisecondsField(source="target_at")
    category = serializers.ChoiceField(CATEGORIES)
    theme = serializers.ChoiceField(THEMES)
    emoji = serializers.CharField(allow_blank=True)
    pinned = serializers.BooleanField()
    archived = serializers.BooleanField()
    createdAt = MillisecondsField(source="created_at")
    updatedAt = MillisecondsField(source="updated_at")


CountdownAnswer = success("CountdownAnswer", countdown=CountdownSerializer())


def change(request: SignedInRequest, countdown_id: UUID | None = None) -> Response:
    body = CountdownRequestSerializer(data=request.data, partial=True)
    body.is_valid(raise_exception=True)
    countdown = change_countdown(
        account_id=request.user.account_id,
        countdown_id=countdown_id or id_in_query(request),
        fields=body.validated_data,
    )
    return Response({"success": True, "countdown": CountdownSerializer(countdown).data})


def remove(request: SignedInRequest, countdown_id: UUID | None = None) -> Response:
    remove_countdown(
        account_id=request.user.account_id, countdown_id=countdown_id or id_in_query(request)
    )
    return Response({"success": True})


_CHANGE: dict[str, Any] = {
    "request": CountdownRequestSerializer(partial=True),
    "responses": CountdownAnswer,
    "examples": [OpenApiExample("another day", {"targetDate": "2027-05-12"}, request_only=True)],
}
_REMOVE: dict[str, Any] = {"request": None, "responses": {200: SuccessSerializer}}


@extend_schema(tags=["countdowns"])
class CountdownListView(APIView):
    # Some clients send the id of a PATCH or DELETE in the query.
    raises = (TooManyKept, NotFound)

    @extend_schema(
        operation_id="countdowns",
        summary="All your countdowns by date, the earliest first",
        responses=success("CountdownList", countdowns=CountdownSerializer(many=True)),
    )
    def get(self, request: SignedInRequest) -> Response:
        countdowns = list_countdowns(request.user.account_id)
        return Response(
            {"success": True, "countdowns": CountdownSerializer(countdowns, many=True).data}
        )

    @extend_schema(
        operation_id="countdown_add",
        summary="Add a countdown",
        description="An account has at most 500 countdowns.",
        request=CountdownRequestSerializer,
        responses={201: CountdownAnswer},
        examples=[
            OpenApiExample("an exam", EXAMPLE, request_only=True),
            OpenApiExample("as kept", {"success": True, "countdown": STORED}, response_only=True),
        ],
    )
    def post(self, request: SignedInRequest) -> Response:
        body = CountdownRequestSerializer(data=request.data)
        body.is_valid(raise_exception=True)
        countdown = add_countdown(account_id=request.user.account_id, fields=body.validated_data)
        return Response(
            {"success": True, "countdown": CountdownSerializer(countdown).data}, status=201
        )

    @extend_schema(
        operation_id="countdown_change_by_query",
        summary="Change the countdown that the query names",
        parameters=[ID],
        **_CHANGE,
    )
    def patch(self, request: SignedInRequest) -> Response:
        return change(request)

    @extend_schema(
        operation_id="countdown_remove_by_query",
        summary="Remove the countdown that the query names",
        parameters=[ID],
        **_REMOVE,
    )
    def delete(self, request: SignedInRequest) -> Response:
        return remove(request)


@extend_schema(tags=["countdowns"])
class CountdownView(APIView):
    raises = (NotFound,)

    @extend_schema(operation_id="countdown_change", summary="Change a countdown", **_CHANGE)
    def patch(self, request: SignedInRequest, countdown_id: UUID) -> Response:
        return change(request, countdown_id)

    @extend_schema(operation_id="countdown_remove", summary="Remove a countdown", **_REMOVE)
    def delete(self, request: SignedInRequest, countdown_id: UUID) -> Response:
        return remove(request, countdown_id)
