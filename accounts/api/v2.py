"""/api/v2: the login in its two halves, and a new token."""

from typing import Any

from django.utils.decorators import method_decorator
from django.views.decorators.debug import sensitive_variables
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api.base import PublicView, SuccessSerializer
from accounts.api.fields import TextField
from accounts.api.login import (
    LOGIN_ERRORS,
    SCHOOL_HEADER,
    CredentialsSerializer,
    school_of,
    set_cookies,
    visitor_of,
)
from accounts.api.tokens import REFRESH_ERRORS, AccessTokenSerializer, access_token_answer
from accounts.cookies import credential_of
from accounts.errors import InvalidAttempt, StoreUnavailable
from accounts.services.login import complete, initiate
from accounts.services.refresh import refresh


class InitiateAnswerSerializer(SuccessSerializer):
    code = serializers.CharField()
    state = serializers.CharField()


class CallbackRequestSerializer(serializers.Serializer[Any]):
    code = TextField(max_length=8192, trim_whitespace=False)
    state = TextField(max_length=128, trim_whitespace=False)
    school = TextField(max_length=63, required=False, trim_whitespace=False)


class TokenRefreshRequestSerializer(serializers.Serializer[Any]):
    school = TextField(max_length=63, required=False, trim_whitespace=False)


class InitiateView(PublicView):
    """Begin a login: an authorization code and a state, good for five minutes and one use."""

    raises = (*LOGIN_ERRORS, StoreUnavailable)

    @extend_schema(
        operation_id="v2_initiate",
        summary="Sign in, the first half",
        tags=["session"],
        parameters=[SCHOOL_HEADER],
        request=CredentialsSerializer,
        responses=InitiateAnswerSerializer,
    )
    @method_decorator(sensitive_variables("body", "form"))
    def post(self, request: Request) -> Response:
        form = CredentialsSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        body = form.validated_data
        code, state = initiate(
            username=body["username"],
            password=body["password"],
            school=school_of(request, body),
            visitor=visitor_of(request),
        )
        return Response({"success": True, "code": code, "state": state})


class CallbackView(PublicView):
    """Finish a login: the code for a token and the five cookies."""

    raises = (*LOGIN_ERRORS, InvalidAttempt, StoreUnavailable)

    @extend_schema(
        operation_id="v2_callback",
        summary="Sign in, the second half",
        tags=["session"],
        parameters=[SCHOOL_HEADER],
        request=CallbackRequestSerializer,
        responses=AccessTokenSerializer,
    )
    def post(self, request: Request) -> Response:
        form = CallbackRequestSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        body = form.validated_data
        signed_in = complete(
            code=body["code"],
            state=body["state"],
            school=school_of(request, body),
            visitor=visitor_of(request),
        )
        grant = signed_in.grant
        answer = access_token_answer(grant.access_token, grant.expires_in)
        return set_cookies(answer, request, signed_in)


class TokenRefreshView(PublicView):
    """A new token where upstream gave a refresh token; else the live one."""

    raises = REFRESH_ERRORS

    @extend_schema(
        operation_id="v2_token_refresh",
        summary="A new token, without new cookies",
        tags=["session"],
        request=TokenRefreshRequestSerializer,
        responses=AccessTokenSerializer,
    )
    def post(self, request: Request) -> Response:
        TokenRefreshRequestSerializer(data=request.data).is_valid(raise_exception=True)
        refreshed = refresh(credential_of(request._request), with_web=False)
        return access_token_answer(refreshed.access_token, refreshed.expires_in)
