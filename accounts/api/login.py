"""POST /api/login and /api/v2/initiate: a login with a password, in one call or in two."""

from typing import Any

from django.conf import settings
from django.utils.translation import gettext_lazy as _
from django.views.decorators.debug import sensitive_variables
from drf_spectacular.utils import OpenApiExample, OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts import cookies
from accounts.api.base import PublicView, SuccessSerializer, in_language
from accounts.api.fields import TextField
from accounts.devices import device_label
from accounts.errors import AccountSuspended, InvalidInput, SchoolUnknown
from accounts.services.login import initiate, log_in
from accounts.services.sign_in import LoginSource, SignedIn
from limits import TooManyRequests
from store import StoreUnavailable
from upstream.errors import (
    CredentialsRefused,
    PasswordLoginDisabled,
    UpstreamInvalid,
    UpstreamTimeout,
    UpstreamUnavailable,
)

LOGIN_ERRORS = (
    CredentialsRefused,
    PasswordLoginDisabled,
    AccountSuspended,
    SchoolUnknown,
    TooManyRequests,
    UpstreamUnavailable,
    UpstreamInvalid,
    UpstreamTimeout,
)
SCHOOL_HEADER = OpenApiParameter(
    "x-school",
    str,
    OpenApiParameter.HEADER,
    description="The school's slug, if the body has no `school`.",
)


class CredentialsSerializer(serializers.Serializer[Any]):
    username = TextField(max_length=255, help_text="The user name in the school's system.")
    password = TextField(max_length=1024, trim_whitespace=False, style={"input_type": "password"})
    school = TextField(
        max_length=63, required=False, trim_whitespace=False, help_text="The school's slug."
    )


# For the schema only: a login ignores these two fields.
class LoginRequestSerializer(CredentialsSerializer):
    orgid = serializers.JSONField(
        required=False, allow_null=True, help_text="Ignored: `school` says which school it is."
    )
    usertype = serializers.JSONField(
        required=False, allow_null=True, help_text="Ignored: the school's system decides the role."
    )


class UserSerializer(serializers.Serializer[Any]):
    username = serializers.CharField()
    firstName = serializers.CharField(allow_blank=True)
    lastName = serializers.CharField(allow_blank=True)
    email = serializers.CharField(allow_blank=True)
    school = serializers.CharField()
    schoolName = serializers.CharField(allow_blank=True)
    userType = serializers.ChoiceField(["student", "teacher", "guardian"])


class LoginAnswerSerializer(SuccessSerializer):
    message = serializers.CharField()
    token = serializers.CharField()
    token_type = serializers.CharField()
    expires_in = serializers.IntegerField(help_text="Seconds.")
    cookies = serializers.ListField(child=serializers.CharField())
    user = UserSerializer()


class InitiateAnswerSerializer(SuccessSerializer):
    code = serializers.CharField()
    state = serializers.CharField()


def school_of(request: Request, body: dict[str, Any]) -> str:
    """The school of a login: from the body, the header, or DEFAULT_SCHOOL."""
    school = body.get("school") or request.headers.get("x-school") or settings.DEFAULT_SCHOOL
    if not school:
        raise InvalidInput({"school": [_("This field is required.")]})
    return str(school)


@sensitive_variables("form", "body")
def credentials_of(request: Request) -> dict[str, Any]:
    """The arguments of a login."""
    form = CredentialsSerializer(data=request.data)
    form.is_valid(raise_exception=True)
    body = form.validated_data
    return {**body, "school": school_of(request, body), "source": login_source(request)}


def login_source(request: Request) -> LoginSource:
    return LoginSource(
        address=request.META.get("REMOTE_ADDR", ""),
        device=device_label(request.headers.get("User-Agent", "")),
    )


def set_cookies(response: Response, request: Request, signed_in: SignedIn) -> Response:
    cookies.set_session_cookies(
        response,
        request._request,
        web=signed_in.web,
        school=signed_in.account.school,
        username=cookies.encoded_username(signed_in.upstream.user_name),
        max_age=signed_in.lasts,
    )
    return response


class LoginView(PublicView):
    """Sign in with the user name and password of the school's system."""

    raises = LOGIN_ERRORS

    @extend_schema(
        operation_id="login",
        summary="Sign in",
        tags=["session"],
        parameters=[SCHOOL_HEADER],
        request=LoginRequestSerializer,
        responses=LoginAnswerSerializer,
        examples=[
            OpenApiExample(
                "a pupil",
                {"username": "elsa.nordvall", "password": "…", "school": "bjorkdalen"},
                request_only=True,
            )
        ],
    )
    def post(self, request: Request) -> Response:
        signed_in = log_in(**credentials_of(request))
        person = signed_in.upstream
        answer = {
            "success": True,
            "message": _("Signed in."),
            "token": signed_in.grant.access_token,
            "token_type": "Bearer",
            "expires_in": signed_in.grant.expires_in,
            "cookies": cookies.upstream_cookie_lines(signed_in.web),
            "user": {
                "username": signed_in.account.username,
                "firstName": person.first_name,
                "lastName": person.last_name,
                "email": person.email,
                "school": signed_in.account.school,
                "schoolName": person.organization_name,
                "userType": person.role,
            },
        }
        return set_cookies(Response(answer, headers=in_language()), request, signed_in)


class InitiateView(PublicView):
    """Begin a login: returns an authorization code and a state, valid once and for five minutes."""

    raises = (*LOGIN_ERRORS, StoreUnavailable)

    @extend_schema(
        operation_id="v2_initiate",
        summary="Begin to sign in",
        tags=["session"],
        parameters=[SCHOOL_HEADER],
        request=CredentialsSerializer,
        responses=InitiateAnswerSerializer,
    )
    def post(self, request: Request) -> Response:
        code, state = initiate(**credentials_of(request))
        return Response({"success": True, "code": code, "state": state})
