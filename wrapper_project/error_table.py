"""`TABLE`: the status, code and sentence of every exception that reaches a client.

An exception class without a row uses the row of its nearest listed ancestor. To add an error, write
a class in its app's `errors.py`, a row here, and its code in docs/api.md. This file may be long.
"""

from dataclasses import dataclass
from typing import Any

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
    """One error response. `retry_after` is in seconds; an exception may override it."""

    status: int
    code: str
    sentence: str
    retry_after: int | None = None

    def body(self) -> dict[str, Any]:
        sentence = self.sentence
        return {"success": False, "error": sentence, "message": sentence, "code": self.code}


class CrossOrigin(Exception):
    """A browser sent an unsafe request on behalf of another website."""


NOT_FOUND = Row(404, "not_found", "This does not exist, or you cannot see it.")
FORBIDDEN = Row(403, "forbidden", "You are not allowed to do that.")
NOT_SIGNED_IN = Row(401, "not_signed_in", "Please sign in.")
BAD_REQUEST = Row(400, "bad_request", "We could not read this request.")
INVALID_INPUT = Row(
    400, "invalid_input", "Some fields are missing or invalid. Check them and try again."
)
INVALID_JSON = Row(400, "invalid_json", "The request body is not valid JSON.")
TOO_MANY = Row(429, "too_many_requests", "Too many requests. Wait a minute and try again.", 60)
TOO_MANY_KEPT = Row(409, "too_many_kept", "You have reached the limit. Remove one first.")
TOO_LARGE = Row(413, "too_large", "What you sent is too large. Send less or a smaller file.")
UNEXPECTED = Row(500, "internal_error", "Something went wrong on our side. Try again later.")
METHOD = Row(405, "method_not_allowed", "This address does not support that method.")
STORE_AWAY = Row(
    503, "store_unavailable", "The service is not available right now. Try again in a moment.", 5
)
DATABASE_AWAY = Row(
    503, "database_unavailable", "The service is not available right now. Try again in a moment.", 5
)
UPSTREAM_INVALID = Row(
    502, "upstream_invalid", "The school's system sent an invalid response. Try again later."
)

TABLE: dict[type[BaseException], Row] = {
    # --- upstream
    upstream.UpstreamError: UPSTREAM_INVALID,
    upstream.UpstreamAway: Row(
        503,
        "upstream_unavailable",
        "The school's system cannot be reached right now. Try again in a moment.",
        5,
    ),
    upstream.UpstreamUnreachable: Row(
        503,
        "upstream_unreachable",
        "The school's system cannot be reached right now. Try again in a moment.",
        5,
    ),
    upstream.UpstreamFailing: Row(
        503,
        "upstream_failing",
        "The school's system is not working right now. Try again in a moment.",
        5,
    ),
    upstream.UpstreamThrottled: Row(
        503,
        "upstream_throttled",
        "The school's system is receiving too many requests. Try again in half a minute.",
        30,
    ),
    upstream.CircuitOpen: Row(
        503,
        "circuit_open",
        "The school's system is not working right now. Try again in ten seconds.",
        10,
    ),
    upstream.BulkheadFull: Row(
        503,
        "bulkhead_full",
        "Many people are using the school's system right now. Try again in a moment.",
        2,
    ),
    upstream.UpstreamTimeout: Row(
        504, "upstream_timeout", "The school's system took too long to respond. Try again later."
    ),
    upstream.UpstreamInvalid: UPSTREAM_INVALID,
    upstream.UpstreamChanged: Row(
        502,
        "upstream_changed",
        "The school's system has changed and we cannot read this yet. Try again another day.",
    ),
    upstream.SessionDead: NOT_SIGNED_IN,
    upstream.CredentialsRefused: Row(
        401, "invalid_credentials", "The username or the password is wrong."
    ),
    upstream.PasswordLoginDisabled: Row(
        403, "password_login_disabled", "You cannot sign in to this school with a password."
    ),
    upstream.GrantRefused: Row(
        401, "grant_refused", "Your session has ended. Please sign in again."
    ),
    upstream.NotForThisRole: Row(
        403, "not_for_this_role", "Your school does not show this to your type of account."
    ),
    upstream.UpstreamNotFound: NOT_FOUND,
    # --- accounts
    accounts.NotSignedIn: NOT_SIGNED_IN,
    # A key was lost, or a value was copied to another row: the person has to sign in again.
    SecretUnreadable: NOT_SIGNED_IN,
    accounts.NothingToRefresh: Row(
        401, "nothing_to_refresh", "Your session cannot be renewed. Please sign in again."
    ),
    accounts.AccountSuspended: Row(
        403,
        "account_suspended",
        "This account is suspended. Contact the people who run this service.",
    ),
    accounts.TooManyRequests: TOO_MANY,
    accounts.InvalidAttempt: Row(
        400, "invalid_attempt", "This sign-in has expired or was already used. Please start again."
    ),
    accounts.SchoolUnknown: Row(
        404, "school_unknown", "We do not know this school. Check its name."
    ),
    accounts.SessionUnknown: NOT_FOUND,
    accounts.InvalidInput: INVALID_INPUT,
    accounts.PictureTooLarge: TOO_LARGE,
    accounts.PictureBusy: Row(
        503,
        "picture_busy",
        "Many pictures are being processed right now. Try again in a moment.",
        5,
    ),
    accounts.PictureUnknown: NOT_FOUND,
    accounts.StoreUnavailable: STORE_AWAY,
    # --- schoolproxy
    schoolproxy.FeedUnknown: NOT_FOUND,
    # --- social
    social.NotThere: NOT_FOUND,
    social.NotAllowed: FORBIDDEN,
    social.DmRefused: Row(403, "dm_refused", "You cannot send messages to this person."),
    social.EditWindowClosed: Row(
        403, "edit_window_closed", "A message can only be changed within a day of sending it."
    ),
    social.StateConflict: Row(
        409, "conflict", "That is not possible right now. Reload and try again."
    ),
    social.AlreadyFriends: Row(409, "already_friends", "You are already friends."),
    social.AlreadyAsked: Row(409, "already_asked", "You have already asked this person."),
    social.AlreadyAnswered: Row(409, "already_answered", "This request has already been answered."),
    social.GroupFull: Row(409, "group_full", "This group is full."),
    social.TooManyKept: TOO_MANY_KEPT,
    social.MessageGone: Row(409, "message_gone", "This message has been deleted."),
    social.ClientIdReused: Row(
        409,
        "client_id_reused",
        "This clientId was already used for another message. Use a new one.",
    ),
    social.IvReused: Row(
        409, "iv_reused", "This IV was already used. Encrypt the message again with a new one."
    ),
    social.NotForEncrypted: Row(
        400, "not_for_encrypted", "This is not possible in an encrypted conversation."
    ),
    social.WrongEnvelope: Row(400, "wrong_envelope", "This is not a valid encrypted message."),
    # --- notes
    notes.NotThere: NOT_FOUND,
    notes.StaleVersion: Row(
        409, "stale_version", "The note was changed somewhere else. Reload it and try again."
    ),
    notes.TooManyKept: TOO_MANY_KEPT,
    # --- this project
    CrossOrigin: Row(
        403, "cross_origin", "This request came from another website, so it was refused."
    ),
    parsers.InvalidJson: INVALID_JSON,
    parsers.BodyTooLarge: TOO_LARGE,
    # --- REST framework
    rest_errors.ValidationError: INVALID_INPUT,
    rest_errors.ParseError: INVALID_JSON,
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
    """The row of the nearest listed ancestor, or None for an unexpected exception."""
    return next((TABLE[base] for base in kind.__mro__ if base in TABLE), None)
