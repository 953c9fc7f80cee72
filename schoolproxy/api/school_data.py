"""The base class of all views of school data, and their part of the schema."""

from collections.abc import Callable, Sequence
from typing import Any

from django.http.response import HttpResponseBase
from drf_spectacular.utils import (
    OpenApiExample,
    OpenApiParameter,
    OpenApiResponse,
    extend_schema,
    extend_schema_view,
)
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.api.base import SuccessSerializer
from accounts.api.session import NamedChildSerializer
from accounts.errors import ChildNotAllowed, ChildRequired, ChildUnknown, SignInNeeded
from accounts.requests import SignedInRequest
from schoolproxy.api.child_choice import CHILD, ORG, read_choice
from schoolproxy.cache import CachedAnswer, Question, ask
from schoolproxy.reads import SchoolRead
from store import StoreUnavailable
from upstream.errors import (
    NotForThisRole,
    UpstreamInvalid,
    UpstreamNotFound,
    UpstreamTimeout,
    UpstreamUnavailable,
)

WEEK = OpenApiParameter(
    "week",
    {"type": "integer", "minimum": 1, "maximum": 53},
    description="An ISO week; default: the current one.",
)


def number_in_path(name: str) -> OpenApiParameter:
    """A path parameter for an id of upstream (`UpstreamId`), a string like all other ids."""
    kind = {"type": "string", "pattern": "^[1-9][0-9]{0,18}$"}
    return OpenApiParameter(name, kind, OpenApiParameter.PATH, required=True)


NO_CACHE = OpenApiParameter(
    "Cache-Control",
    str,
    OpenApiParameter.HEADER,
    description="`no-cache`: ask the school again.",
)
ETAG_HEADERS = (
    OpenApiParameter("If-None-Match", str, OpenApiParameter.HEADER),
    OpenApiParameter(
        "ETag",
        str,
        OpenApiParameter.HEADER,
        response=[200, 304],
        description="A strong tag: it changes with the answer.",
    ),
)
NOT_MODIFIED = OpenApiResponse(description="The answer has not changed. No body.")


class SchoolDataSerializer(SuccessSerializer):
    child = NamedChildSerializer(required=False)
    stale = serializers.BooleanField(
        required=False,
        help_text="Upstream fails.",
    )
    staleSince = serializers.IntegerField(required=False, help_text="Unix milliseconds.")


# What a question to the school can raise, and what the choice of a guardian's child can.
SCHOOL_ERRORS = (
    NotForThisRole,
    StoreUnavailable,
    UpstreamUnavailable,
    UpstreamInvalid,
    UpstreamNotFound,
    UpstreamTimeout,
)
CHILD_ERRORS = (ChildNotAllowed, ChildRequired, ChildUnknown)


class SchoolDataView(APIView):
    """A GET of school data. A subclass declares its read, and its schema with `describe`."""

    raises: tuple[type[Exception], ...] = (*CHILD_ERRORS, SignInNeeded, *SCHOOL_ERRORS)

    def school_read(self, request: Request) -> SchoolRead:
        """What this request reads. Raises `InvalidInput` for a query that is not valid."""
        raise NotImplementedError

    # No docstring: the schema describes an operation with that of its view.
    def get(self, request: SignedInRequest, **path: Any) -> HttpResponseBase:
        bypass_cache = "no-cache" in request.META.get("HTTP_CACHE_CONTROL", "").lower()
        question = Question(request.user, read_choice(request.query_params), bypass_cache)
        return self.respond(request, self.answer(request, question))

    def answer(self, request: SignedInRequest, question: Question) -> CachedAnswer:
        """The answer to one question; a view that makes it of several overrides this."""
        return ask(question, self.school_read(request))

    def respond(self, request: SignedInRequest, answer: CachedAnswer) -> HttpResponseBase:
        """The answer as JSON, or 304 when the client has it already."""
        headers = tag_headers(answer.etag)
        if client_has(request, answer.etag):
            return Response(status=304, headers=headers)
        return Response(answer.to_json(), headers=headers)


def tag_headers(etag: str) -> dict[str, str]:
    """The headers about caching, the same for 200 and 304."""
    return {"Cache-Control": "private, no-cache", "ETag": etag}


def client_has(request: Request, etag: str) -> bool:
    if_none_match = request.META.get("HTTP_IF_NONE_MATCH", "")
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
    """A class decorator: the schema of a `SchoolDataView`. `example` leaves out `success`."""
    return extend_schema_view(
        get=extend_schema(
            operation_id=operation_id,
            summary=summary,
            tags=["school data"],
            parameters=[*parameters, CHILD, ORG, NO_CACHE, *ETAG_HEADERS],
            responses={200: answer, 304: NOT_MODIFIED},
            examples=[
                OpenApiExample("an answer", {"success": True} | example, status_codes=["200"])
            ],
        )
    )
