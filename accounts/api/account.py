"""/api/account: export and erasure."""

from typing import Any

from django.http import FileResponse
from django.utils.decorators import method_decorator
from django.views.decorators.debug import sensitive_variables
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts import cookies
from accounts.api.base import SuccessSerializer
from accounts.api.fields import TextField
from accounts.api.login import LOGIN_ERRORS, login_source
from accounts.errors import TooManyRequests
from accounts.limits import EXPORTS
from accounts.rate_limits import spend
from accounts.requests import SignedInRequest
from accounts.services.erasure import erase_own_account
from accounts.services.export import export_account


class EraseAccountSerializer(serializers.Serializer[Any]):
    password = TextField(
        max_length=1000, trim_whitespace=False, help_text="Checked by a login at the school."
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
    def get(self, request: SignedInRequest) -> FileResponse:
        spend(EXPORTS, str(request.user.account_id))
        response = FileResponse(
            export_account(request.user.account_id),
            as_attachment=True,
            filename="account.zip",
            content_type="application/zip",
        )
        response.headers["Cache-Control"] = "no-store"
        return response


class AccountView(APIView):
    raises = LOGIN_ERRORS

    @extend_schema(
        operation_id="account_erase",
        summary="Erase your account",
        description=(
            "The password is checked by a login at the school. In other people's conversations "
            "your messages become empty, without your name. This cannot be undone."
        ),
        tags=["account"],
        request=EraseAccountSerializer,
        responses={200: SuccessSerializer},
    )
    @method_decorator(sensitive_variables("form"))
    def delete(self, request: SignedInRequest) -> Response:
        form = EraseAccountSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        erase_own_account(
            request.user, password=form.validated_data["password"], source=login_source(request)
        )
        answer = Response({"success": True})
        cookies.clear_session_cookies(answer)
        return answer
