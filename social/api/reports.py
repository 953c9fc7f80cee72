"""/api/reports, and reports of shared notes: tell a moderator about something."""

from typing import Any

from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.api.base import PublicView, SuccessSerializer, success
from accounts.api.fields import TextField
from accounts.errors import NotFound
from accounts.registry import report_kinds
from accounts.requests import SignedInRequest
from limits import TooManyRequests
from social.api.parameters import USERNAME_LENGTH, UsernameField
from social.limits import REPORTS_LISTED
from social.models.cases import OUTCOMES, STATUSES
from social.models.reports import REASONS
from social.services.reports import own_reports, report, report_publicly

KINDS = [kind.name for kind in report_kinds()]
TEXT_LENGTH = 1000
DISCLOSED_LENGTH = 8192


class ReportedNoteSerializer(serializers.Serializer[Any]):
    reason = serializers.ChoiceField(REASONS)
    text = TextField(max_length=TEXT_LENGTH, required=False, allow_blank=True)


class ReportRequestSerializer(ReportedNoteSerializer):
    type = serializers.ChoiceField(KINDS, source="kind")
    id = TextField(
        source="target_id",
        max_length=USERNAME_LENGTH,
        help_text=(
            "The id of the message, group, invite or friend request; the id or share token of a "
            "note; the username of a profile."
        ),
    )
    disclosed = TextField(
        max_length=DISCLOSED_LENGTH,
        required=False,
        allow_blank=True,
        trim_whitespace=False,
        help_text="The plaintext of an encrypted message; not for anything else.",
    )
    username = UsernameField(
        required=False,
        allow_blank=True,
        help_text="The member whom the report of a group is about; not for anything else.",
    )


class ReportSerializer(serializers.Serializer[Any]):
    id = serializers.CharField()
    type = serializers.ChoiceField(KINDS)
    reason = serializers.ChoiceField(REASONS)
    status = serializers.ChoiceField(STATUSES)
    outcome = serializers.ChoiceField(
        OUTCOMES, allow_null=True, help_text="Whether staff did something; null while it is open."
    )
    createdAt = serializers.IntegerField(help_text="Unix milliseconds.")


ReportAnswer = success("ReportAnswer", report=ReportSerializer())


@extend_schema(tags=["people"])
class ReportsView(APIView):
    """Report something that the caller can see, or could in the last fourteen days. Nobody is told
    who reported it."""

    raises = (NotFound, TooManyRequests)

    @extend_schema(
        operation_id="report_list",
        summary="List one's own reports",
        description=f"The newest {REPORTS_LISTED}, newest first.",
        responses=success("ReportList", reports=ReportSerializer(many=True)),
    )
    def get(self, request: SignedInRequest) -> Response:
        return Response({"success": True, "reports": own_reports(request.user.account_id)})

    @extend_schema(
        operation_id="report",
        summary="Report something to the moderators",
        description=(
            "Also what was edited, deleted or withdrawn in the last fourteen days, and what was "
            "said in a group before the caller left it. "
            "200: the caller's own report of the same thing is still open, and what they say now "
            "was added to it."
        ),
        request=ReportRequestSerializer,
        responses={200: ReportAnswer, 201: ReportAnswer},
        examples=[
            OpenApiExample(
                "a profile",
                {"type": "profile", "id": "bo.ek", "reason": "spam", "text": "Advertisements."},
                request_only=True,
            )
        ],
    )
    def post(self, request: SignedInRequest) -> Response:
        form = ReportRequestSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        created, new = report(request.user.account_id, **form.validated_data)
        return Response({"success": True, "report": created}, status=201 if new else 200)


@extend_schema(tags=["notes"])
class SharedNoteReportView(PublicView):
    """Report a shared note without an account."""

    raises = (NotFound, TooManyRequests)

    @extend_schema(
        operation_id="note_shared_report",
        summary="Report a shared note",
        request=ReportedNoteSerializer,
        responses={201: SuccessSerializer},
    )
    def post(self, request: Request, token: str) -> Response:
        form = ReportedNoteSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        address = request.META.get("REMOTE_ADDR", "")
        report_publicly(kind="note", target_id=token, client_address=address, **form.validated_data)
        return Response({"success": True}, status=201)
