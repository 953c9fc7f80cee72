"""The only place where an exception becomes an answer.

`TABLE` says it all: exception class -> status, code and a sentence for a person. A class that
is not listed takes the row of its nearest listed ancestor; a class without one is a 500.
The body is always `{"success": false, "error", "message", "code"}`, with `fields` where a
field is wrong. An exception's own text never reaches the caller.
"""

import logging
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import orjson
import redis.exceptions as redis_errors
from django.core import exceptions as django_errors
from django.core.handlers.wsgi import WSGIHandler
from django.core.signals import got_request_exception
from django.db import InterfaceError, OperationalError
from django.http import Http404, HttpRequest, HttpResponse, UnreadablePostError
from django.http.multipartparser import MultiPartParserError
from rest_framework import exceptions as rest_errors

from accounts import errors as accounts
from accounts.vault import SecretUnreadable
from schoolproxy import errors as schoolproxy
from upstream import errors as upstream
from wrapper_project import json_door
from wrapper_project.wrong_fields import fields_of

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Row:
    """What the caller is told. `retry_after` is seconds; an exception may bring its own."""

    status: int
    code: str
    sentence: str
    retry_after: int | None = None


class CrossOrigin(Exception):
    """An unsafe request that another site had a browser send."""


NOT_FOUND = Row(404, "not_found", "There is nothing here.")
FORBIDDEN = Row(403, "forbidden", "You may not do that.")
NOT_SIGNED_IN = Row(401, "not_signed_in", "Please sign in.")
BAD_REQUEST = Row(400, "bad_request", "The request could not be understood.")
INVALID_INPUT = Row(400, "invalid_input", "Some fields are missing or not valid.")
TOO_MANY = Row(429, "too_many_requests", "Too many requests. Please wait a little.", 60)
TOO_LARGE = Row(413, "too_large", "That is too large.")
UNEXPECTED = Row(500, "internal_error", "Something went wrong on our side.")
METHOD = Row(405, "method_not_allowed", "This address does not take that method.")
STORE_AWAY = Row(503, "store_unavailable", "The service is not ready. Please try again.", 5)
DATABASE_AWAY = Row(503, "database_unavailable", "The service is not ready. Please try again.", 5)

TABLE: dict[type[BaseException], Row] = {
    # --- upstream
    upstream.UpstreamError: Row(502, "upstream_invalid", "The school's system did not make sense."),
    upstream.UpstreamAway: Row(
        503, "upstream_unavailable", "The school's system cannot be reached right now.", 5
    ),
    upstream.UpstreamUnreachable: Row(
        503, "upstream_unreachable", "The school's system cannot be reached right now.", 5
    ),
    upstream.UpstreamFailing: Row(
        503, "upstream_failing", "The school's system has trouble right now.", 5
    ),
    upstream.UpstreamThrottled: Row(
        503, "upstream_throttled", "The school's system asks us to wait a little.", 30
    ),
    upstream.CircuitOpen: Row(
        503, "circuit_open", "The school's system has trouble. Please try again soon.", 10
    ),
    upstream.BulkheadFull: Row(
        503, "bulkhead_full", "Too many people ask the school's system at once.", 2
    ),
    upstream.UpstreamTimeout: Row(
        504, "upstream_timeout", "The school's system took too long to answer."
    ),
    upstream.UpstreamInvalid: Row(
        502, "upstream_invalid", "The school's system gave an answer that makes no sense."
    ),
    upstream.UpstreamChanged: Row(
        502, "upstream_changed", "The school's system has changed, and we cannot read it yet."
    ),
    upstream.SessionDead: NOT_SIGNED_IN,
    upstream.CredentialsRefused: Row(
        401, "invalid_credentials", "The user name or the password is wrong."
    ),
    upstream.PasswordLoginDisabled: Row(
        403, "password_login_disabled", "This school does not sign in with a password."
    ),
    upstream.GrantRefused: Row(401, "grant_refused", "The sign-in is over. Please sign in again."),
    upstream.NotForThisRole: Row(
        403, "not_for_this_role", "The school does not show this to your kind of account."
    ),
    upstream.UpstreamNotFound: NOT_FOUND,
    # --- accounts
    accounts.NotSignedIn: NOT_SIGNED_IN,
    # The key is gone, or somebody moved the value: whoever it belonged to signs in again.
    SecretUnreadable: NOT_SIGNED_IN,
    accounts.NothingToRefresh: Row(
        401, "nothing_to_refresh", "The sign-in cannot be renewed. Please sign in again."
    ),
    accounts.AccountSuspended: Row(403, "account_suspended", "This account is suspended."),
    accounts.TooManyRequests: TOO_MANY,
    accounts.InvalidAttempt: Row(
        400, "invalid_attempt", "This sign-in has expired or was used. Please start again."
    ),
    accounts.SchoolUnknown: Row(404, "school_unknown", "We do not know that school."),
    accounts.SessionUnknown: NOT_FOUND,
    accounts.InvalidInput: INVALID_INPUT,
    accounts.StoreUnavailable: STORE_AWAY,
    # --- schoolproxy
    schoolproxy.FeedUnknown: NOT_FOUND,
    # --- this project
    CrossOrigin: Row(403, "cross_origin", "This request came from another site."),
    json_door.InvalidJson: Row(400, "invalid_json", "The body is not valid JSON."),
    json_door.BodyTooLarge: TOO_LARGE,
    # --- REST framework
    rest_errors.ValidationError: INVALID_INPUT,
    rest_errors.ParseError: Row(400, "invalid_json", "The body is not valid JSON."),
    rest_errors.UnsupportedMediaType: BAD_REQUEST,
    rest_errors.NotAuthenticated: NOT_SIGNED_IN,
    rest_errors.AuthenticationFailed: NOT_SIGNED_IN,
    rest_errors.PermissionDenied: FORBIDDEN,
    rest_errors.NotFound: NOT_FOUND,
    rest_errors.MethodNotAllowed: METHOD,
    rest_errors.Throttled: TOO_MANY,
    # --- Django and the stores
    Http404: NOT_FOUND,
    django_errors.PermissionDenied: FORBIDDEN,
    django_errors.BadRequest: BAD_REQUEST,
    django_errors.SuspiciousOperation: BAD_REQUEST,
    django_errors.RequestDataTooBig: TOO_LARGE,
    MultiPartParserError: BAD_REQUEST,
    UnreadablePostError: BAD_REQUEST,
    OperationalError: DATABASE_AWAY,
    InterfaceError: DATABASE_AWAY,
    redis_errors.ConnectionError: STORE_AWAY,
    redis_errors.TimeoutError: STORE_AWAY,
    redis_errors.ReadOnlyError: STORE_AWAY,
    redis_errors.OutOfMemoryError: STORE_AWAY,
}


def row_for(kind: type[BaseException]) -> Row | None:
    """The row of the nearest listed ancestor; None for what nobody expected."""
    return next((TABLE[base] for base in kind.__mro__ if base in TABLE), None)


def respond(
    row: Row,
    *,
    fields: Mapping[str, list[str]] | None = None,
    retry_after: int | None = None,
    details: Mapping[str, Any] | None = None,
) -> HttpResponse:
    """The answer for one row, with the headers that its status asks for."""
    body: dict[str, Any] = {
        "success": False,
        "error": row.sentence,
        "message": row.sentence,
        "code": row.code,
    }
    if fields:
        body["fields"] = fields
    body.update(details or {})
    response = HttpResponse(orjson.dumps(body), content_type="application/json", status=row.status)
    response.headers["Cache-Control"] = "no-store"
    if row.status == 401:
        # Not Basic: a browser would open its own password box.
        response.headers["WWW-Authenticate"] = "Bearer"
    if (seconds := retry_after or row.retry_after) is not None:
        response.headers["Retry-After"] = str(seconds)
    # The access line tells it; Django would log the path once more.
    response._has_been_logged = True  # type: ignore[attr-defined]
    response.error_code = row.code  # type: ignore[attr-defined]
    return response


def answer(exception: BaseException) -> HttpResponse | None:
    """The answer for an exception that has a row, else None."""
    row = row_for(type(exception))
    if row is None:
        return None
    if row.status >= 500:
        logger.warning("answered %s", row.code, exc_info=exception)
    response = respond(row, fields=fields_of(exception), retry_after=_retry_after(exception))
    response.error_class = type(exception).__name__  # type: ignore[attr-defined]
    return response


def answer_unexpected(request: HttpRequest, exception: BaseException) -> HttpResponse:
    """A 500 for what nobody expected: told to Django's signal and the log, not to the caller."""
    got_request_exception.send(sender=WSGIHandler, request=request)
    logger.error("unexpected error", exc_info=exception)
    response = respond(UNEXPECTED)
    response.error_class = type(exception).__name__  # type: ignore[attr-defined]
    return response


def handle(exception: Exception, context: Mapping[str, Any]) -> HttpResponse | None:
    """REST framework's exception handler; None lets the exception rise to the middleware."""
    del context
    return answer(exception)


def _retry_after(exception: BaseException) -> int | None:
    wait = getattr(exception, "retry_after", None) or getattr(exception, "wait", None)
    return max(1, round(wait)) if isinstance(wait, int | float) else None


def handler400(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Django's own 400: a foreign `Host`, a body that lies about itself."""
    del request
    return respond(row_for(type(exception)) or BAD_REQUEST)


def handler403(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Django's own 403."""
    del request, exception
    return respond(FORBIDDEN)


def handler404(request: HttpRequest, exception: Exception) -> HttpResponse:
    """No route leads here."""
    del request, exception
    return respond(NOT_FOUND)


def handler500(request: HttpRequest) -> HttpResponse:
    """What broke outside every view; Django has logged it."""
    del request
    return respond(UNEXPECTED)


def no_such_route(request: HttpRequest) -> HttpResponse:
    """The last route: it takes what no other took."""
    del request
    return respond(NOT_FOUND)
