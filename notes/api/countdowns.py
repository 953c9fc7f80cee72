"""/api/countdowns: days that somebody waits for."""

from typing import Any, Final
from uuid import UUID

from drf_spectacular.utils import OpenApiExample, OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.api.base import SuccessSerializer
from accounts.errors import InvalidInput
from accounts.identifiers import read_id
from accounts.requests import SignedInRequest
from accounts.timestamps import milliseconds
from notes.api.countdown_fields import CountdownRequestSerializer
from notes.errors import NotThere, TooManyKept
from notes.models.countdowns import CATEGORIES, THEMES, Countdown
from notes.services.countdowns import (
    add_countdown,
    change_countdown,
    list_countdowns,
    remove_countdown,
)

ID = OpenApiParameter(
    "id",
    {"type": "string", "pattern": "^[0-9a-f]{32}$"},
    required=True,
    description="The countdown's id.",
)
EXAMPLE: Final = {
    "title": "Nationella prov",
    "description": "Matematik, del B",
    "targetDate": "2027-05-11",
    "category": "exam",
    "theme": "sky",
    "emoji": "📐",
}
KEPT: Final = EXAMPLE | {
    "id": "0b6f4c1e8f9a4d5c8b7a6e5d4c3b2a19",
    "targetDate": 1809986400000,
    "pinned": False,
    "archived": False,
    "createdAt": 1795257000000,
    "updatedAt": 1795257000000,
}


class CountdownSerializer(serializers.Serializer[Any]):
    id = serializers.CharField()
    title = serializers.CharField()
    description = serializers.CharField(allow_blank=True)
    targetDate = serializers.IntegerField(help_text="Unix milliseconds.")
    category = serializers.ChoiceField(CATEGORIES)
    theme = serializers.ChoiceField(THEMES)
    emoji = serializers.CharField(allow_blank=True)
    pinned = serializers.BooleanField()
    archived = serializers.BooleanField()
    createdAt = serializers.IntegerField(help_text="Unix milliseconds.")
    updatedAt = serializers.IntegerField(help_text="Unix milliseconds.")


class CountdownAnswerSerializer(SuccessSerializer):
    countdown = CountdownSerializer()


class CountdownListSerializer(SuccessSerializer):
    countdowns = CountdownSerializer(many=True)


def rendered(countdown: Countdown) -> dict[str, Any]:
    return {
        "id": countdown.pk.hex,
        "title": countdown.title,
        "description": countdown.description,
        "targetDate": milliseconds(countdown.target_at),
        "category": countdown.category,
        "theme": countdown.theme,
        "emoji": countdown.emoji,
        "pinned": countdown.pinned,
        "archived": countdown.archived,
        "createdAt": milliseconds(countdown.created_at),
        "updatedAt": milliseconds(countdown.updated_at),
    }


def fields_of(request: SignedInRequest, *, partial: bool = False) -> dict[str, Any]:
    """The columns that a body names. Raises: ValidationError."""
    form = CountdownRequestSerializer(data=request.data, partial=partial)
    form.is_valid(raise_exception=True)
    fields: dict[str, Any] = form.validated_data
    return fields


def id_in_query(request: SignedInRequest) -> UUID:
    """The countdown that the query names. Raises: InvalidInput without an id, NotThere for what
    can be no id."""
    text = request.query_params.get("id")
    if not text:
        raise InvalidInput({"id": ["This field is required."]})
    countdown_id = read_id(text)
    if countdown_id is None:
        raise NotThere
    return countdown_id


def change(request: SignedInRequest, countdown_id: UUID, fields: dict[str, Any]) -> Response:
    countdown = change_countdown(
        account_id=request.user.account_id, countdown_id=countdown_id, fields=fields
    )
    return Response({"success": True, "countdown": rendered(countdown)})


def remove(request: SignedInRequest, countdown_id: UUID) -> Response:
    remove_countdown(account_id=request.user.account_id, countdown_id=countdown_id)
    return Response({"success": True})


_ONE: Final[dict[str, Any]] = {"tags": ["countdowns"], "responses": CountdownAnswerSerializer}
_GONE: Final[dict[str, Any]] = {
    "tags": ["countdowns"],
    "request": None,
    "responses": {200: SuccessSerializer},
}
_BODY = OpenApiExample("another day", {"targetDate": "2027-05-12"}, request_only=True)


class CountdownListView(APIView):
    """The account's countdowns. PATCH and DELETE name one in the query, as some clients do."""

    raises = (TooManyKept, NotThere)

    @extend_schema(
        operation_id="countdowns",
        summary="All countdowns, the nearest date first",
        tags=["countdowns"],
        responses=CountdownListSerializer,
    )
    def get(self, request: SignedInRequest) -> Response:
        own = list_countdowns(request.user.account_id)
        return Response({"success": True, "countdowns": [rendered(one) for one in own]})

    @extend_schema(
        operation_id="countdown_add",
        summary="A new countdown",
        description="An account keeps at most 500.",
        tags=["countdowns"],
        request=CountdownRequestSerializer,
        responses={201: CountdownAnswerSerializer},
        examples=[
            OpenApiExample("an exam", EXAMPLE, request_only=True),
            OpenApiExample("as kept", {"success": True, "countdown": KEPT}, response_only=True),
        ],
    )
    def post(self, request: SignedInRequest) -> Response:
        countdown = add_countdown(account_id=request.user.account_id, fields=fields_of(request))
        return Response({"success": True, "countdown": rendered(countdown)}, status=201)

    @extend_schema(
        operation_id="countdown_change_by_query",
        summary="Change one, named in the query",
        parameters=[ID],
        request=CountdownRequestSerializer(partial=True),
        examples=[_BODY],
        **_ONE,
    )
    def patch(self, request: SignedInRequest) -> Response:
        fields = fields_of(request, partial=True)  # first: what is wrong is said before 404
        return change(request, id_in_query(request), fields)

    @extend_schema(
        operation_id="countdown_remove_by_query",
        summary="Remove one, named in the query",
        parameters=[ID],
        **_GONE,
    )
    def delete(self, request: SignedInRequest) -> Response:
        return remove(request, id_in_query(request))


class CountdownView(APIView):
    """One of the account's countdowns."""

    raises = (NotThere,)

    @extend_schema(
        operation_id="countdown_change",
        summary="Change what the body names",
        request=CountdownRequestSerializer(partial=True),
        examples=[_BODY],
        **_ONE,
    )
    def patch(self, request: SignedInRequest, countdown_id: UUID) -> Response:
        return change(request, countdown_id, fields_of(request, partial=True))

    @extend_schema(operation_id="countdown_remove", summary="Remove it", **_GONE)
    def delete(self, request: SignedInRequest, countdown_id: UUID) -> Response:
        return remove(request, countdown_id)
