"""Which exception is which status, code and sentence: `TABLE` says it all.

A class that is not listed takes the row of its nearest listed ancestor. A new kind of error is a
class in its app's `errors.py`, a row here, and its code in docs/api.md. This file may be long: it
is the one place.
"""

from dataclasses import dataclass

import redis.exceptions as redis_errors
from django.core import exceptions as django_errors
from django.db import InterfaceError, OperationalError
from django.http import Http404, UnreadablePostError
from django.http.multipartparser import MultiPartParserError
from rest_framework import exceptions as rest_errors

from accounts import errors as accounts
from accounts.encryption import SecretUnreadable
from notes import errors as notes
from schoolproxy import errors as schoolproxy
from social import errors as social
from upstream import errors as upstream
from wrapper_project import parsers


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
TOO_MANY_KEPT = Row(409, "too_many_kept", "There are as many as there may be. Remove one first.")
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
    accounts.PictureTooLarge: TOO_LARGE,
    accounts.PictureBusy: Row(
        503, "picture_busy", "Too many pictures at once. Please try again in a moment.", 5
    ),
    accounts.PictureUnknown: NOT_FOUND,
    accounts.StoreUnavailable: STORE_AWAY,
    # --- schoolproxy
    schoolproxy.FeedUnknown: NOT_FOUND,
    # --- social
    social.NotThere: NOT_FOUND,
    social.NotAllowed: FORBIDDEN,
    social.DmRefused: Row(403, "dm_refused", "This person does not take messages from you."),
    social.EditWindowClosed: Row(
        403, "edit_window_closed", "A message can be changed for one day only."
    ),
    social.StateConflict: Row(409, "conflict", "That is not possible as things stand."),
    social.AlreadyFriends: Row(409, "already_friends", "You are friends already."),
    social.AlreadyAsked: Row(409, "already_asked", "You have asked already."),
    social.AlreadyAnswered: Row(409, "already_answered", "That was answered already."),
    social.GroupFull: Row(409, "group_full", "The group is full."),
    social.TooManyKept: TOO_MANY_KEPT,
    social.MessageGone: Row(409, "message_gone", "The message was deleted."),
    social.ClientIdReused: Row(
        409, "client_id_reused", "That clientId was used for another message."
    ),
    social.IvReused: Row(
        409, "iv_reused", "That IV was used before. Please encrypt again with a new one."
    ),
    social.NotForEncrypted: Row(
        400, "not_for_encrypted", "An encrypted conversation does not take that."
    ),
    social.WrongEnvelope: Row(
        400, "wrong_envelope", "That is not the form of an encrypted message."
    ),
    # --- notes
    notes.NotThere: NOT_FOUND,
    notes.StaleVersion: Row(409, "stale_version", "The note was changed elsewhere meanwhile."),
    notes.TooManyKept: TOO_MANY_KEPT,
    # --- this project
    CrossOrigin: Row(403, "cross_origin", "This request came from another site."),
    parsers.InvalidJson: Row(400, "invalid_json", "The body is not valid JSON."),
    parsers.BodyTooLarge: TOO_LARGE,
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
