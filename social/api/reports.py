"""POST /api/reports: tell a moderator about something."""

from typing import Any

from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework import serializers
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.api.base import SuccessSerializer
from accounts.api.fields import TextField
from accounts.errors import InvalidInput, TooManyRequests
from accounts.registry import report_kinds
from accounts.requests import SignedInRequest
from social.api.parameters import USERNAME_LENGTH
from social.errors import NotThere
from social.models.reports import REASONS, STATUSES
from social.services.reports import report

KINDS = [kind.name for kind in report_kinds()]
TEXT_LENGTH = 1000
DISCLOSED_LENGTH = 8192


class ReportRequestSerializer(serializers.Serializer[Any]):
    type = serializers.ChoiceField(KINDS, source="kind")
    id = TextField(
        source="target_id",
        max_length=USERNAME_LENGTH,
        help_text="The id of the message, group or note; the username of a profile.",
    )
    reason = serializers.ChoiceField(REASONS)
    text = TextField(max_length=TEXT_LENGTH, required=False, allow_blank=True)
    disclosed = TextField(
        max_length=DISCLOSED_LENGTH,
        required=False,
        allow_blank=True,
        trim_whitespace=False,
        help_text="The plaintext of an encrypted message; not for anything else.",
    )


class ReportSerializer(serializers.Serializer[Any]):
    id = serializers.CharField()
    type = serializers.ChoiceField(KINDS)
    reason = serializers.ChoiceField(REASONS)
    status = serializers.ChoiceField(STATUSES)
    createdAt = serializers.IntegerField(help_text="Unix milliseconds.")


class ReportAnswerSerializer(SuccessSerializer):
    report = ReportSerializer()


class ReportsView(APIView):
    """Report something that the caller can see. Nobody is told who reported it."""

    raises = (InvalidInput, NotThere, TooManyRequests)

    @extend_schema(
        operation_id="report",
        summary="Report a message, a profile, a group or a note",
        description="200: the caller's own report of the same thing is still open.",
        tags=["people"],
        request=ReportRequestSerializer,
        responses={200: ReportAnswerSerializer, 201: ReportAnswerSerializer},
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
        made, new = report(request.user.account_id, **form.validated_data)
        return Response({"success": True, "report": made}, status=201 if new else 200)
