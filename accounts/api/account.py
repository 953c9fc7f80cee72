"""/api/account: export and erasure."""

from typing import Any

from django.utils.decorators import method_decorator
from django.views.decorators.debug import sensitive_variables
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts import cookies
from accounts.api.base import StreamedResponse, SuccessSerializer
from accounts.api.fields import TextField
from accounts.api.login import login_source
from accounts.errors import SignInAgain, WrongPassword
from accounts.limits import EXPORTS
from accounts.requests import SignedInRequest
from accounts.services.erasure import counted_erasure, erase_own_account
from accounts.services.export import export_account
from limits import TooManyRequests, spend
from upstream.errors import (
    PasswordLoginDisabled,
    UpstreamInvalid,
    UpstreamTimeout,
    UpstreamUnavailable,
)


class EraseAccountSerializer(serializers.Serializer[Any]):
    password = TextField(
        max_length=1000,
        trim_whitespace=False,
        required=False,
        help_text=(
            "Checked by a login at the school. Leave it out if you signed in through the school's "
            "own page less than ten minutes ago."
        ),
    )


class AccountExportView(APIView):
    raises = (TooManyRequests,)

    @extend_schema(
        operation_id="account_export",
        summary="Export your account",
        description="Everything that is stored about you, as a ZIP of JSON files and pictures.",
        tags=["account"],
        responses={(200, "application/zip"): OpenApiTypes.BINARY},
    )
    def get(self, request: SignedInRequest) -> StreamedResponse:
        spend(EXPORTS, request.user.person_hash)
        return StreamedResponse(
            export_account(request.user.account_id),
            content_type="application/zip",
            headers={
                "Content-Disposition": 'attachment; filename="account.zip"',
                "Cache-Control": "no-store",
            },
        )


class AccountView(APIView):
    raises = (
        WrongPassword,
        SignInAgain,
        PasswordLoginDisabled,
        TooManyRequests,
        UpstreamUnavailable,
        UpstreamInvalid,
        UpstreamTimeout,
    )

    @extend_schema(
        operation_id="account_erase",
        summary="Erase your account",
        description=(
            "The password is checked by a login at the school. Whoever signed in through the "
            "school's own page confirms with a sign-in that is younger than ten minutes. In other "
            "people's conversations your messages become empty, without your name. This cannot be "
            "undone. You can do it once in 24 hours."
        ),
        tags=["account"],
        request=EraseAccountSerializer,
        responses={200: SuccessSerializer},
    )
    @method_decorator(sensitive_variables("form"))
    def delete(self, request: SignedInRequest) -> Response:
        with counted_erasure(request.user):
            form = EraseAccountSerializer(data=request.data)
            form.is_valid(raise_exception=True)
            erase_own_account(
                request.user,
                password=form.validated_data.get("password"),
                source=login_source(request),
            )
        answer = Response({"success": True})
        cookies.clear_session_cookies(answer)
        return answer
