"""POST /api/reports: something that a moderator should look at."""

from typing import Any

from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework import serializers
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.api.fields import TextField
from accounts.api.session import DoneSerializer
from accounts.errors import InvalidInput, TooManyRequests
from accounts.requests import SignedInRequest
from social.api.targets import USERNAME_LENGTH
from social.errors import NotThere
from social.services.reports import report

TYPES = ["message", "profile", "group", "note"]
REASONS = ["bullying", "threat", "sexual", "spam", "other"]
TEXT_LENGTH = 1000
DISCLOSED_LENGTH = 8192


class ReportRequestSerializer(serializers.Serializer[Any]):
    type = serializers.ChoiceField(TYPES)
    id = TextField(
        max_length=USERNAME_LENGTH,
        help_text="Of the message, group or note; of a profile, its username.",
    )
    reason = serializers.ChoiceField(REASONS)
    text = TextField(max_length=TEXT_LENGTH, required=False, allow_blank=True)
    disclosed = TextField(
        max_length=DISCLOSED_LENGTH,
        required=False,
        allow_blank=True,
        trim_whitespace=False,
        help_text="What an encrypted message says; for nothing else.",
    )


class ReportSerializer(serializers.Serializer[Any]):
    id = serializers.CharField()
    type = serializers.ChoiceField(TYPES)
    reason = serializers.ChoiceField(REASONS)
    status = serializers.ChoiceField(["open", "handled", "dismissed"])
    createdAt = serializers.IntegerField(help_text="Unix milliseconds.")


class ReportAnswerSerializer(DoneSerializer):
    report = ReportSerializer()


class ReportsView(APIView):
    """Only what the caller sees can be reported. Nobody is told who did."""

    raises = (InvalidInput, NotThere, TooManyRequests)

    @extend_schema(
        operation_id="report",
        summary="Report a message, a profile, a group or a note",
        description="A 200: one's own report of the same is open already.",
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
        given = form.validated_data
        made, new = report(
            request.user.account_id,
            kind=given["type"],
            target_id=given["id"],
            reason=given["reason"],
            text=given.get("text", ""),
            disclosed=given.get("disclosed", ""),
        )
        return Response({"success": True, "report": made}, status=201 if new else 200)
