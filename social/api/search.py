"""/api/search: one's own notes, and the messages that one may read."""

from typing import Any

from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import OpenApiExample, OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.api.base import success
from accounts.api.paging import limit_parameter, read_limit
from accounts.errors import InvalidInput
from accounts.requests import SignedInRequest
from limits import TooManyRequests
from social.api.user_search import QuerySerializer
from social.limits import RESULTS_A_PAGE, RESULTS_A_PAGE_AT_MOST, SEARCH_MAX, SEARCH_MIN
from social.services.search import MESSAGES, NOTES, search

PLACES = (MESSAGES, NOTES)
QUERY = OpenApiParameter(
    "q",
    {"type": "string", "minLength": SEARCH_MIN, "maxLength": SEARCH_MAX},
    required=True,
    description="Words, in any order. Each is looked for as a part of the text, in any case, with "
    "or without accents.",
)
IN = OpenApiParameter(
    "in",
    {"type": "array", "items": {"type": "string", "enum": list(PLACES)}, "minItems": 1},
    style="form",
    explode=False,
    description="Where to look; both, if it is left out.",
)
LIMIT = limit_parameter(default=RESULTS_A_PAGE, most=RESULTS_A_PAGE_AT_MOST)
CURSOR = OpenApiParameter("cursor", str, description="`next` of the previous page.")
EXAMPLE = {
    "kind": "message",
    "id": "5d1c2e0a9b7f4c3d8e6f1a2b3c4d5e6f-12",
    "conversationId": "5d1c2e0a9b7f4c3d8e6f1a2b3c4d5e6f",
    "seq": 12,
    "title": "Bosse",
    "excerpt": "Har du boken om cellen?",
    "at": 1790841600000,
}


class SearchResultSerializer(serializers.Serializer[Any]):
    kind = serializers.ChoiceField(["message", "note"])
    id = serializers.CharField()
    conversationId = serializers.CharField(required=False, help_text="Of a message.")
    seq = serializers.IntegerField(required=False, help_text="Of a message.")
    title = serializers.CharField(
        allow_blank=True, help_text="Of the note; of a message: the group, or who else is in it."
    )
    excerpt = serializers.CharField(allow_blank=True)
    at = serializers.IntegerField(
        help_text="When the message was sent, or the note last changed, in Unix milliseconds."
    )


def _read_places(request: Request) -> list[str]:
    """`in` of the query. Raises: InvalidInput."""
    places = request.query_params.get("in", ",".join(PLACES)).split(",")
    if not set(places) <= set(PLACES):
        raise InvalidInput({"in": [_("Give messages, notes, or both with a comma.")]})
    return places


@extend_schema(tags=["search"])
class SearchView(APIView):
    raises = (TooManyRequests,)

    @extend_schema(
        operation_id="search",
        summary="Search notes and messages",
        description="One's own notes, and the messages that one may read now; the newest first. "
        "Encrypted messages are not found: the service cannot read them.",
        parameters=[QUERY, IN, LIMIT, CURSOR],
        responses=success(
            "SearchResults",
            results=SearchResultSerializer(many=True),
            next=serializers.CharField(allow_null=True),
        ),
        examples=[
            OpenApiExample("a message", {"success": True, "results": [EXAMPLE], "next": None})
        ],
    )
    def get(self, request: SignedInRequest) -> Response:
        form = QuerySerializer(data=request.query_params)
        form.is_valid(raise_exception=True)
        results, following = search(
            request.user,
            text=form.validated_data["q"],
            within=_read_places(request),
            limit=read_limit(request, default=RESULTS_A_PAGE, most=RESULTS_A_PAGE_AT_MOST),
            cursor=request.query_params.get("cursor", ""),
        )
        return Response({"success": True, "results": results, "next": following})
