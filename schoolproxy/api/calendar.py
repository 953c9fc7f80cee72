"""The schedule for calendar programs: with a session, or at a secret address (a feed)."""

from hashlib import blake2b
from typing import Any

from django.http import HttpResponse, HttpResponseNotModified
from django.urls import reverse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiExample, extend_schema, extend_schema_view
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.api.base import PublicView, SuccessSerializer, success
from accounts.api.fields import LineField
from accounts.api.session import NamedChildSerializer
from accounts.origins import public_url
from accounts.requests import SignedInRequest
from limits import TooManyRequests
from schoolproxy.api.child_choice import CHILD, ORG, read_choice
from schoolproxy.api.school_data import (
    CHILD_ERRORS,
    ETAG_HEADERS,
    NO_CACHE,
    NOT_MODIFIED,
    SCHOOL_ERRORS,
    WEEK,
    SchoolDataView,
    client_has,
    tag_headers,
)
from schoolproxy.cache import CachedAnswer
from schoolproxy.errors import FeedUnknown
from schoolproxy.models.feeds import DEFAULT_INCLUDE, INCLUDABLE, NAME_LENGTH
from schoolproxy.reads import SchoolRead
from schoolproxy.services.calendar.weeks import calendar_read, render_calendar, weeks_from_now
from schoolproxy.services.children import child_fields, chosen_child
from schoolproxy.services.feeds import FeedAddress, drop_feed, find_feed, read_feed, save_feed
from schoolproxy.weeks import read_week
from upstream.records import ChosenChild

EXAMPLE = {
    "url": "https://school.example/feeds/mWx2m0F0…GqYw.ics",
    "include": DEFAULT_INCLUDE,
    "name": None,
}
CALENDAR: Any = {(200, "text/calendar"): OpenApiTypes.STR, 304: NOT_MODIFIED}


class FeedSerializer(SuccessSerializer):
    child = NamedChildSerializer(required=False)
    url = serializers.URLField(
        allow_null=True,
        help_text="Secret: anyone who knows it can read the schedule. Null: no feed.",
    )
    include = serializers.ListField(
        child=serializers.ChoiceField(INCLUDABLE), allow_null=True, help_text="Null: no feed."
    )
    name = serializers.CharField(
        allow_null=True, help_text="What the owner calls it. Null: nothing, so it has ours."
    )


class FeedRequestSerializer(serializers.Serializer[Any]):
    include = serializers.ListField(
        child=serializers.ChoiceField(INCLUDABLE),
        required=False,
        allow_empty=False,
        min_length=1,
        max_length=len(INCLUDABLE),
        help_text="Of a new feed: default lessons, exams and countdowns.",
    )
    name = LineField(
        required=False,
        allow_blank=True,
        allow_null=True,
        max_length=NAME_LENGTH,
        help_text="What calendar programs call it. Empty or null: our own name.",
    )

    def validate_name(self, name: str | None) -> str:
        return name or ""


def calendar_response(request: Request, text: bytes) -> HttpResponse:
    """The calendar, or 304 when the client has it already."""
    etag = f'"{blake2b(text, digest_size=16).hexdigest()}"'
    headers = tag_headers(etag)
    if client_has(request, etag):
        return HttpResponseNotModified(headers=headers)
    headers["Content-Disposition"] = 'inline; filename="schedule.ics"'
    return HttpResponse(text, content_type="text/calendar; charset=utf-8", headers=headers)


@extend_schema_view(
    get=extend_schema(
        operation_id="schedule_calendar",
        summary="The schedule as iCalendar",
        description="The current week and the next three, or the week of the query.",
        tags=["school data"],
        parameters=[WEEK, CHILD, ORG, NO_CACHE, *ETAG_HEADERS],
        responses=CALENDAR,
    )
)
class ScheduleCalendarView(SchoolDataView):
    """The lessons as iCalendar, including several with the same start and end."""

    def school_read(self, request: Request) -> SchoolRead:
        week = request.query_params.get("week")
        return calendar_read(weeks_from_now() if week is None else [read_week(week)])

    def respond(self, request: SignedInRequest, answer: CachedAnswer) -> HttpResponse:
        return calendar_response(request, render_calendar(request.user, answer))


class FeedAddressView(APIView):
    """The account's calendar feed; a guardian has one for each child."""

    raises = CHILD_ERRORS

    @extend_schema(
        operation_id="schedule_feed",
        summary="The address of the calendar feed",
        tags=["school data"],
        parameters=[CHILD, ORG],
        responses=FeedSerializer,
    )
    def get(self, request: SignedInRequest) -> Response:
        child = _child(request)
        return Response(_answer(find_feed(request.user.account_id, child), child))

    @extend_schema(
        operation_id="schedule_feed_make",
        summary="Create the calendar feed, or change what it has or its address",
        description=(
            "With `include` or `name`, a feed that is there keeps its address. Without both, it "
            "gets a new address, and the previous one stops working."
        ),
        tags=["school data"],
        parameters=[CHILD, ORG],
        request=FeedRequestSerializer,
        responses={200: FeedSerializer, 201: FeedSerializer},
        examples=[
            OpenApiExample("a new address", {"success": True} | EXAMPLE, response_only=True),
            OpenApiExample("with plannings", {"include": INCLUDABLE}, request_only=True),
        ],
    )
    def post(self, request: SignedInRequest) -> Response:
        child = _child(request)
        body = FeedRequestSerializer(data=request.data)
        body.is_valid(raise_exception=True)
        wanted = body.validated_data
        feed, is_new = save_feed(
            request.user.account_id, child, wanted.get("include"), wanted.get("name")
        )
        return Response(_answer(feed, child), status=201 if is_new else 200)

    @extend_schema(
        operation_id="schedule_feed_drop",
        summary="Delete the calendar feed",
        tags=["school data"],
        parameters=[CHILD, ORG],
        request=None,
        responses={200: success("FeedDropped", child=NamedChildSerializer(required=False))},
    )
    def delete(self, request: SignedInRequest) -> Response:
        child = _child(request)
        drop_feed(request.user.account_id, child)
        return Response({"success": True} | child_fields(child))


class FeedView(PublicView):
    """A feed, for a calendar program without a session. The address is the credential."""

    raises = (FeedUnknown, TooManyRequests, *SCHOOL_ERRORS)

    @extend_schema(
        operation_id="feed",
        summary="A calendar feed",
        description=(
            "For subscriptions. When the school's system fails, the feed has the last lessons that "
            "were read, and an all-day entry that says so."
        ),
        tags=["school data"],
        parameters=[*ETAG_HEADERS],
        responses=CALENDAR,
    )
    def get(self, request: Request, token: str) -> HttpResponse:
        text = read_feed(token=token, client_address=request.META.get("REMOTE_ADDR", ""))
        response = calendar_response(request, text)
        response.headers["X-Robots-Tag"] = "noindex, nofollow"
        return response


def _child(request: SignedInRequest) -> ChosenChild | None:
    return chosen_child(request.user, read_choice(request.query_params))


def _answer(feed: FeedAddress | None, child: ChosenChild | None) -> dict[str, Any]:
    fields: dict[str, Any] = {"url": None, "include": None, "name": None}
    if feed is not None:
        url = public_url(reverse("feed", args=[feed.token]))
        fields = {"url": url, "include": feed.include, "name": feed.name}
    return {"success": True} | child_fields(child) | fields
