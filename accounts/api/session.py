"""/api/session, /api/logout, and /api/sessions: the current session, and the account's logins."""

from contextlib import suppress
from datetime import UTC, datetime
from typing import Any

from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import OpenApiExample, OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts import cookies
from accounts.api.base import PublicView, SuccessSerializer, in_language, success
from accounts.authentication import meant_session
from accounts.devices import device_name
from accounts.errors import NotSignedIn, SessionUnknown
from accounts.requests import SignedInRequest
from accounts.services.children import children_fields
from accounts.services.ended_sessions import end_one, end_others, log_out
from accounts.services.session_records import sessions_of
from accounts.timestamps import milliseconds

SESSION_HEADER = OpenApiParameter(
    "X-Session",
    str,
    OpenApiParameter.HEADER,
    description="The `sessionId` of the login to end. Without it: that of the credential.",
)


class UpstreamUserSerializer(serializers.Serializer[Any]):
    id = serializers.IntegerField()
    userName = serializers.CharField()
    firstName = serializers.CharField(allow_blank=True)
    lastName = serializers.CharField(allow_blank=True)
    email = serializers.CharField(allow_blank=True)


class NamedSerializer(serializers.Serializer[Any]):
    id = serializers.IntegerField(allow_null=True)
    name = serializers.CharField(allow_blank=True)


class UpstreamSessionSerializer(serializers.Serializer[Any]):
    user = UpstreamUserSerializer()
    organization = NamedSerializer()
    userType = NamedSerializer()
    school = serializers.CharField()
    username = serializers.CharField()


class NamedChildSerializer(serializers.Serializer[Any]):
    id = serializers.CharField()
    name = serializers.CharField()


class SessionAnswerSerializer(SuccessSerializer):
    userId = serializers.IntegerField()
    name = serializers.CharField()
    school = serializers.CharField()
    role = serializers.ChoiceField(["student", "teacher", "guardian"])
    expiresAt = serializers.DateTimeField(
        allow_null=True,
        help_text="When the token expires; null if the service has no token, or cannot read it.",
    )
    sessionId = serializers.CharField(help_text="Names this login, as in `/api/sessions`.")
    session = UpstreamSessionSerializer()
    children = NamedChildSerializer(
        many=True,
        required=False,
        allow_null=True,
        help_text="Only for guardians. Null: the school cannot be asked now.",
    )


class LoginEntrySerializer(serializers.Serializer[Any]):
    id = serializers.CharField()
    current = serializers.BooleanField()
    device = serializers.CharField(allow_blank=True)
    createdAt = serializers.IntegerField(help_text="Unix milliseconds.")
    lastUsedAt = serializers.IntegerField(help_text="Unix milliseconds.")


class SessionView(APIView):
    """The signed-in person, a guardian's children, and when the session's token expires."""

    @extend_schema(
        operation_id="session",
        summary="Who is signed in",
        tags=["session"],
        responses=SessionAnswerSerializer,
    )
    def get(self, request: SignedInRequest) -> Response:
        caller = request.user
        person = caller.upstream
        return Response(
            {
                "success": True,
                "userId": person.user_id,
                "name": caller.name,
                "school": caller.school,
                "role": person.role,
                "expiresAt": _iso(caller.token_ends_at),
                "sessionId": caller.session_key,
                "session": {
                    "user": {
                        "id": person.user_id,
                        "userName": person.user_name,
                        "firstName": person.first_name,
                        "lastName": person.last_name,
                        "email": person.email,
                    },
                    "organization": {
                        "id": person.organization_id,
                        "name": person.organization_name,
                    },
                    "userType": {"id": person.user_type_id, "name": person.role},
                    "school": caller.school,
                    "username": caller.username,
                },
            }
            | children_fields(caller)
        )


def _iso(seconds: float | None) -> str | None:
    """A time in Unix seconds as ISO 8601 in UTC."""
    if seconds is None:
        return None
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="seconds")


class LogoutView(PublicView):
    """Sign out. Succeeds with any credential, and without one.

    With `X-Session`, that login is ended, also when the cookies have become somebody else's since
    or are gone; other cookies stay. Its id is random and only its owner reads it.
    """

    parser_classes = ()

    @extend_schema(
        operation_id="logout",
        summary="Sign out",
        tags=["session"],
        parameters=[SESSION_HEADER],
        request=None,
        responses=success("LogoutAnswer", message=serializers.CharField()),
        examples=[OpenApiExample("done", {"success": True, "message": "Signed out."})],
    )
    def post(self, request: Request) -> Response:
        is_over = True
        with suppress(NotSignedIn):  # malformed cookies: no session to end
            is_over = log_out(
                cookies.credential_of(request._request),
                address=request.META.get("REMOTE_ADDR", ""),
                meant=meant_session(request),
            )
        answer = Response({"success": True, "message": _("Signed out.")}, headers=in_language())
        if is_over:
            cookies.clear_session_cookies(answer)
        return answer


class LoginListView(APIView):
    """The logins of the account."""

    @extend_schema(
        operation_id="sessions",
        summary="Your logins",
        tags=["session"],
        responses=success("LoginList", sessions=LoginEntrySerializer(many=True)),
    )
    def get(self, request: SignedInRequest) -> Response:
        caller = request.user
        entries = [
            {
                "id": row.pk,
                "current": row.pk == caller.session_id,
                "device": device_name(row.device),
                "createdAt": milliseconds(row.created_at),
                "lastUsedAt": milliseconds(row.last_used_at),
            }
            for row in sessions_of(caller.account_id)
        ]
        return Response({"success": True, "sessions": entries})

    @extend_schema(
        operation_id="sessions_end_others",
        summary="End all other logins",
        tags=["session"],
        request=None,
        responses={200: SuccessSerializer},
    )
    def delete(self, request: SignedInRequest) -> Response:
        end_others(account_id=request.user.account_id, current=request.user.session_key)
        return Response({"success": True})


class LoginEntryView(APIView):
    """One login of the account; DELETE ends it, even the current one."""

    raises = (SessionUnknown,)

    @extend_schema(
        operation_id="sessions_end",
        summary="End one login",
        tags=["session"],
        request=None,
        responses={200: SuccessSerializer},
    )
    def delete(self, request: SignedInRequest, session_id: str) -> Response:
        end_one(account_id=request.user.account_id, session_id=session_id)
        return Response({"success": True})
