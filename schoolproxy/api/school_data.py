"""The frame of every view that serves school data: the kept copy, its tag, the answer."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

import orjson
from drf_spectacular.utils import OpenApiExample, OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.callers import CredentialHint
from accounts.errors import InvalidInput
from accounts.requests import SignedInRequest
from schoolproxy.cache import Answer, Asked, Shelf, asks_afresh, personal
from upstream.errors import (
    NotForThisRole,
    UpstreamAway,
    UpstreamInvalid,
    UpstreamNotFound,
    UpstreamTimeout,
)

WEEK = OpenApiParameter(
    "week",
    {"type": "integer", "minimum": 1, "maximum": 53},
    description="ISO week; default: the current one in Europe/Stockholm.",
)


def number_in_path(name: str) -> OpenApiParameter:
    """A number of upstream's in the address (`UpstreamId`)."""
    kind = {"type": "integer", "format": "int64", "minimum": 0}
    return OpenApiParameter(name, kind, OpenApiParameter.PATH, required=True)


AFRESH = OpenApiParameter(
    "Cache-Control",
    str,
    OpenApiParameter.HEADER,
    description="`no-cache`: read afresh from the school's system. Limited.",
)
TAGS = (
    OpenApiParameter(
        "If-None-Match",
        str,
        OpenApiParameter.HEADER,
        description="The `ETag` of what the caller has: 304 when it still holds.",
    ),
    OpenApiParameter(
        "ETag",
        str,
        OpenApiParameter.HEADER,
        response=[200, 304],
        description="Strong: other bytes have another one.",
    ),
)
UNCHANGED = OpenApiResponse(description="What the caller has still holds. No body.")


class SchoolDataSerializer(serializers.Serializer[Any]):
    """What every such answer has."""

    success = serializers.BooleanField()
    stale = serializers.BooleanField(
        required=False, help_text="True: upstream fails, this is the last good copy."
    )
    staleSince = serializers.IntegerField(required=False, help_text="Unix milliseconds.")


class SchoolDataView(APIView):
    """A GET that the cache may answer. A subclass says which copy would do."""

    raises = (NotForThisRole, UpstreamAway, UpstreamInvalid, UpstreamNotFound, UpstreamTimeout)

    def copy_name(self, request: Request) -> str:
        """The name of the copy that answers this request. Raises `InvalidInput`."""
        raise NotImplementedError

    def shelf(self, hint: CredentialHint) -> Shelf:
        """Where that copy lies."""
        return personal(hint)

    def copy_key(self, request: Request, hint: CredentialHint) -> tuple[str, str] | None:
        """Asked by the authentication, which fetches the copy in its round trip."""
        with suppress(InvalidInput):  # said in its turn, after the checks that come first
            return self.shelf(hint).owner, self.copy_name(request)
        return None


def asked_of(request: SignedInRequest) -> Asked:
    """How this request asks."""
    return Asked(request.auth.copy, asks_afresh(request.META.get("HTTP_CACHE_CONTROL", "")))


def respond(request: Request, answer: Answer) -> Response:
    """The answer as a 200 with its tag, or a 304 where the caller has these very bytes."""
    headers = tag_headers(answer.etag)
    if has_already(request, answer.etag):
        return Response(status=304, headers=headers)
    said: dict[str, Any] = {"success": True}
    if answer.stale_since is not None:
        said |= {"stale": True, "staleSince": answer.stale_since}
    # Two JSON objects become one: both have at least one field.
    return Response(orjson.dumps(said)[:-1] + b"," + answer.body[1:], headers=headers)


def tag_headers(etag: str) -> dict[str, str]:
    """What a 200 and a 304 both say of how the answer may be kept."""
    return {"Cache-Control": "private, no-cache", "ETag": etag}


def has_already(request: Request, etag: str) -> bool:
    """Whether the caller's `If-None-Match` names this very tag."""
    if_none_match = request.META.get("HTTP_IF_NONE_MATCH", "")
    if not if_none_match:
        return False
    tags = [tag.strip().removeprefix("W/") for tag in if_none_match.split(",")]
    return etag in tags or tags == ["*"]


def describe(
    operation_id: str,
    answer: type[SchoolDataSerializer],
    example: dict[str, Any],
    *,
    summary: str,
    parameters: Sequence[OpenApiParameter] = (),
) -> Callable[[Any], Any]:
    """`extend_schema` for a route of school data; the `example` is without its `success`."""
    return extend_schema(
        operation_id=operation_id,
        summary=summary,
        tags=["school data"],
        parameters=[*parameters, AFRESH, *TAGS],
        responses={200: answer, 304: UNCHANGED},
        examples=[OpenApiExample("an answer", {"success": True} | example, status_codes=["200"])],
    )
