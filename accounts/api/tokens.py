"""/api/token, /api/refresh and /api/v2/token-refresh: the access token of a session."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts import cookies
from accounts.api.base import PublicView, SuccessSerializer
from accounts.api.fields import TextField
from accounts.errors import AccountSuspended, NothingToRefresh, NotSignedIn
from accounts.requests import SignedInRequest
from accounts.services.refresh import refresh, token_of
from limits import TooManyRequests
from upstream.errors import UpstreamInvalid, UpstreamTimeout, UpstreamUnavailable

REFRESH_ERRORS = (
    NotSignedIn,
    NothingToRefresh,
    AccountSuspended,
    TooManyRequests,
    UpstreamUnavailable,
    UpstreamInvalid,
    UpstreamTimeout,
)


class AccessTokenSerializer(SuccessSerializer):
    access_token = serializers.CharField()
    token_type = serializers.CharField()
    expires_in = serializers.IntegerField(help_text="Seconds.")


class TokenRefreshRequestSerializer(serializers.Serializer[Any]):
    school = TextField(max_length=63, required=False, trim_whitespace=False)


def access_token_answer(access_token: str, expires_in: int) -> Response:
    return Response(
        {
            "success": True,
            "access_token": access_token,
            "token_type": "Bearer",
            "expires_in": expires_in,
        }
    )


class TokenView(APIView):
    """The access token of the current session, and how long it is valid."""

    raises = (NothingToRefresh, UpstreamUnavailable, UpstreamInvalid, UpstreamTimeout)

    @extend_schema(
        operation_id="token",
        summary="The access token of the session",
        tags=["session"],
        request=None,
        responses=AccessTokenSerializer,
    )
    def post(self, request: SignedInRequest) -> Response:
        current = token_of(request.user)
        return access_token_answer(current.access_token, current.expires_in)


class RefreshView(PublicView):
    """New cookies, and a new token if upstream issues one. Works after the web session has
    expired."""

    raises = REFRESH_ERRORS

    @extend_schema(
        operation_id="refresh",
        summary="Refresh the session",
        tags=["session"],
        request=None,
        responses=AccessTokenSerializer,
    )
    def post(self, request: Request) -> Response:
        credential = cookies.credential_of(request._request)
        refreshed = refresh(credential, with_web=True)
        answer = access_token_answer(refreshed.access_token, refreshed.expires_in)
        if credential and credential.via == "cookie" and refreshed.web:
            cookies.set_session_cookies(
                answer,
                request._request,
                web=refreshed.web,
                school=refreshed.school,
                username=credential.username,
                max_age=refreshed.lasts,
            )
        return answer


class TokenRefreshView(PublicView):
    """A new token if upstream issued a refresh token, else the current one."""

    raises = REFRESH_ERRORS

    @extend_schema(
        operation_id="v2_token_refresh",
        summary="Refresh the token only",
        tags=["session"],
        request=TokenRefreshRequestSerializer,
        responses=AccessTokenSerializer,
    )
    def post(self, request: Request) -> Response:
        TokenRefreshRequestSerializer(data=request.data).is_valid(raise_exception=True)
        refreshed = refresh(cookies.credential_of(request._request), with_web=False)
        return access_token_answer(refreshed.access_token, refreshed.expires_in)
