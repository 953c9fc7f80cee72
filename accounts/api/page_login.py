"""/api/v2/authorize and /api/v2/callback: signing in through the school's own page.

The callback also finishes a login that `/api/v2/initiate` has begun.
"""

from http import HTTPStatus
from typing import Any

from django.utils.decorators import method_decorator
from django.utils.encoding import iri_to_uri
from django.utils.translation import gettext_lazy as _
from django.views.decorators.debug import sensitive_variables
from drf_spectacular.utils import OpenApiParameter, PolymorphicProxySerializer, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts import cookies
from accounts.api.base import PublicView, SuccessSerializer
from accounts.api.fields import LineField, PatternField, TextField
from accounts.api.login import (
    LOGIN_ERRORS,
    SCHOOL_HEADER,
    login_source,
    school_of,
    set_cookies,
)
from accounts.api.login_methods import LIST_ERRORS, MethodsQuerySerializer
from accounts.api.tokens import AccessTokenSerializer, access_token_answer
from accounts.api.variants import require_fields
from accounts.errors import InvalidAttempt, InvalidInput, MethodNotOffered, SignInRefused
from accounts.limits import PAGE_ATTEMPT_SECONDS
from accounts.return_addresses import MAX_LENGTH, is_listed_redirect, is_own_path
from accounts.services.login import complete
from accounts.services.page_login import come_back, redeem_ticket, start
from accounts.services.sign_in import SignedIn
from limits import TooManyRequests
from store import StoreUnavailable
from upstream.errors import WrongKind

_CHALLENGE = r"\A[A-Za-z0-9_-]{43}\Z"
_VERIFIER = r"\A[A-Za-z0-9._~-]{43,128}\Z"


class AuthorizeQuerySerializer(MethodsQuerySerializer):
    # `return` is a word of Python, so the field is declared below.
    redirectUri = TextField(
        max_length=MAX_LENGTH,
        required=False,
        trim_whitespace=False,
        help_text="Of an app: where its ticket goes, one of LOGIN_REDIRECTS.",
    )
    state = LineField(
        max_length=512, required=False, trim_whitespace=False, help_text="Of an app: its own."
    )
    codeChallenge = PatternField(
        _CHALLENGE, required=False, help_text="Of an app: S256 of its own verifier."
    )

    def validate(self, fields: dict[str, Any]) -> dict[str, Any]:
        if {"redirectUri", "state", "codeChallenge"} & fields.keys():
            require_fields(self, fields, ("redirectUri", "state", "codeChallenge"))
            if not is_listed_redirect(fields["redirectUri"]):
                sentence = _("This service does not send anybody to this address.")
                raise serializers.ValidationError({"redirectUri": [sentence]})
        return fields


AuthorizeQuerySerializer._declared_fields["return"] = TextField(
    max_length=MAX_LENGTH,
    required=False,
    allow_blank=True,
    trim_whitespace=False,
    help_text="A path of this service, where the browser goes afterwards. Default: the web app.",
)


class AuthorizeAnswerSerializer(SuccessSerializer):
    url = serializers.CharField()
    expiresIn = serializers.IntegerField(help_text="Seconds.")


def read_return(fields: dict[str, Any]) -> str:
    """The path to return to; "" for the default one. Raises: InvalidInput."""
    path = str(fields.get("return", ""))
    if path and not is_own_path(path):
        raise InvalidInput({"return": [_("Give a path of this service, such as /app/.")]})
    return path


def wants_json(request: Request) -> bool:
    accepted = request.headers.get("Accept", "")
    return "application/json" in accepted and "text/html" not in accepted


class AuthorizeView(PublicView):
    """Sends the browser to the school's own page, where the person signs in.

    It comes back to `/api/v2/callback` and from there to `return`, where the session's cookies are
    set. What fails on the way is `login_error` in the query of that page: `cancelled`, `expired`,
    `wrong_kind`, `refused`, `suspended` or `try_again`. Usually nobody comes back after a failure:
    the school shows it on its own page.

    An app opens this in the system's browser, with `redirectUri`, `state` and `codeChallenge`. It
    is sent a `ticket` (or an `error`, one of the words above) and its state, and sends the ticket
    with its verifier to `/api/v2/callback`.
    """

    raises = (MethodNotOffered, TooManyRequests, StoreUnavailable, *LIST_ERRORS)

    @extend_schema(
        operation_id="v2_authorize",
        summary="Sign in through the school's own page",
        tags=["session"],
        parameters=[AuthorizeQuerySerializer],
        responses={
            200: AuthorizeAnswerSerializer,
            303: None,
        },
    )
    def get(self, request: Request) -> Response:
        query = AuthorizeQuerySerializer(data=request.query_params.dict())
        query.is_valid(raise_exception=True)
        fields = query.validated_data
        started = start(
            school=school_of(request, fields),
            kind=fields["kind"],
            return_to=read_return(fields),
            address=request.META.get("REMOTE_ADDR", ""),
            redirect_uri=fields.get("redirectUri"),
            app_state=fields.get("state", ""),
            app_challenge=fields.get("codeChallenge", ""),
        )
        answer = _see_other(started.url)
        if wants_json(request):
            body = {"success": True, "url": started.url, "expiresIn": PAGE_ATTEMPT_SECONDS}
            answer = Response(body)
        cookies.set_attempt_cookie(answer, request._request, started.attempt_id)
        return answer


def _see_other(location: str) -> Response:
    return Response(status=HTTPStatus.SEE_OTHER, headers={"Location": iri_to_uri(location)})


class CallbackRequestSerializer(serializers.Serializer[Any]):
    code = TextField(max_length=8192, trim_whitespace=False)
    state = TextField(max_length=128, trim_whitespace=False)
    school = TextField(max_length=63, required=False, trim_whitespace=False)


class TicketRequestSerializer(serializers.Serializer[Any]):
    ticket = TextField(max_length=128, trim_whitespace=False)
    codeVerifier = PatternField(_VERIFIER, help_text="What `codeChallenge` was made of.")
    state = TextField(
        max_length=512,
        required=False,
        trim_whitespace=False,
        help_text="The app's own; checked if it is here.",
    )


@sensitive_variables("form", "body")
def _finish(request: Request) -> SignedIn:
    """Finish the login of a program: with a code and a state, or with a ticket."""
    source = login_source(request)
    if "ticket" in request.data:
        form: serializers.Serializer[Any] = TicketRequestSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        body = form.validated_data
        return redeem_ticket(
            ticket=body["ticket"],
            verifier=body["codeVerifier"],
            state=body.get("state"),
            source=source,
        )
    form = CallbackRequestSerializer(data=request.data)
    form.is_valid(raise_exception=True)
    body = form.validated_data
    return complete(
        code=body["code"], state=body["state"], school=school_of(request, body), source=source
    )


class CallbackView(PublicView):
    """Finish a login."""

    raises = (*LOGIN_ERRORS, InvalidAttempt, SignInRefused, WrongKind, StoreUnavailable)

    @extend_schema(
        operation_id="v2_callback_browser",
        summary="Come back from the school's own page",
        description=(
            "For browsers only: goes on to the page that the sign-in began with. Sets the five "
            "cookies, or names a `login_error` in the query."
        ),
        tags=["session"],
        parameters=[
            OpenApiParameter("code", str, description="The school's."),
            OpenApiParameter("state", str),
            OpenApiParameter("error", str),
        ],
        responses={303: None},
    )
    @method_decorator(sensitive_variables())
    def get(self, request: Request) -> Response:
        returned = come_back(
            attempt_id=cookies.attempt_of(request._request),
            query=request.query_params,
            source=login_source(request),
        )
        answer = _see_other(returned.location)
        answer.headers["Referrer-Policy"] = "no-referrer"
        cookies.clear_attempt_cookie(answer, is_over=returned.is_over)
        if returned.signed_in is not None:
            set_cookies(answer, request, returned.signed_in)
        return answer

    @extend_schema(
        operation_id="v2_callback",
        summary="Finish signing in",
        description=(
            "Exchanges the code, or an app's ticket, for a token, and sets the five cookies."
        ),
        tags=["session"],
        parameters=[SCHOOL_HEADER],
        request=PolymorphicProxySerializer(
            component_name="FinishLogin",
            serializers=[CallbackRequestSerializer, TicketRequestSerializer],
            resource_type_field_name=None,
        ),
        responses=AccessTokenSerializer,
    )
    def post(self, request: Request) -> Response:
        signed_in = _finish(request)
        answer = access_token_answer(signed_in.grant.access_token, signed_in.grant.expires_in)
        return set_cookies(answer, request, signed_in)
