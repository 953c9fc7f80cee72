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
from django.utils.translation import gettext_lazy as _
from gunicorn.http.errors import ParseException
from rest_framework import exceptions as rest_errors

from accounts import errors as accounts
from accounts import strict_json
from accounts.encryption import SecretUnreadable
from limits import TooManyRequests
from notes import errors as notes
from notifications import errors as notifications
from schoolproxy import errors as schoolproxy
from social import errors as social
from store import StoreUnavailable
from upstream import errors as upstream
from wrapper_project import parsers
from wrapper_project.waits import sentence_of_wait


@dataclass(frozen=True, slots=True)
class Row:
    """One error response. `retry_after` is in seconds; an exception may override it.

    `says_wait`: after the sentence comes one that says when to try again.
    """

    status: int
    code: str
    sentence: accounts.Sentence
    retry_after: int | None = None
    says_wait: bool = False

    def body(self, retry_after: int | None = None) -> dict[str, Any]:
        """The JSON of the answer, in the active language. `retry_after` replaces the row's."""
        sentence = str(self.sentence)
        if self.says_wait and (seconds := retry_after or self.retry_after):
            sentence = f"{sentence} {sentence_of_wait(seconds)}"
        return {"success": False, "error": sentence, "message": sentence, "code": self.code}


NOT_FOUND = Row(404, "not_found", _("This does not exist, or you cannot see it."))
FORBIDDEN = Row(403, "forbidden", _("You are not allowed to do that."))
NOT_SIGNED_IN = Row(401, "not_signed_in", _("Please sign in."))
BAD_REQUEST = Row(400, "bad_request", _("We could not read this request."))
INVALID_INPUT = Row(
    400, "invalid_input", _("Some fields are missing or invalid. Check them and try again.")
)
INVALID_JSON = Row(
    400, "invalid_json", _("The request body is not a JSON object that we can read.")
)
TOO_MANY = Row(429, "too_many_requests", _("Too many requests."), 60, says_wait=True)
TOO_MANY_KEPT = Row(409, "too_many_kept", _("You have reached the limit. Remove one first."))
TOO_LARGE = Row(413, "too_large", _("What you sent is too large. Send less or a smaller file."))
UNEXPECTED = Row(500, "internal_error", _("Something went wrong on our side. Try again later."))
METHOD = Row(405, "method_not_allowed", _("This address does not support that method."))
STORE_AWAY = Row(
    503, "store_unavailable", _("The service is not available right now. Try again in a moment."), 5
)
DATABASE_AWAY = Row(
    503,
    "database_unavailable",
    _("The service is not available right now. Try again in a moment."),
    5,
)
UPSTREAM_INVALID = Row(
    502, "upstream_invalid", _("The school's system sent an invalid response. Try again later.")
)

TABLE: dict[type[BaseException], Row] = {
    # --- upstream
    upstream.UpstreamError: UPSTREAM_INVALID,
    upstream.UpstreamUnavailable: Row(
        503,
        "upstream_unavailable",
        _("The school's system cannot be reached right now. Try again in a moment."),
        5,
    ),
    upstream.UpstreamUnreachable: Row(
        503,
        "upstream_unreachable",
        _("The school's system cannot be reached right now. Try again in a moment."),
        5,
    ),
    upstream.UpstreamFailing: Row(
        503,
        "upstream_failing",
        _("The school's system is not working right now. Try again in a moment."),
        5,
    ),
    upstream.UpstreamThrottled: Row(
        503,
        "upstream_throttled",
        _("The school's system is receiving too many requests."),
        30,
        says_wait=True,
    ),
    upstream.CircuitOpen: Row(
        503,
        "circuit_open",
        _("The school's system is not working right now."),
        10,
        says_wait=True,
    ),
    upstream.BulkheadFull: Row(
        503,
        "bulkhead_full",
        _("Many people are using the school's system right now. Try again in a moment."),
        2,
    ),
    upstream.UpstreamTimeout: Row(
        504, "upstream_timeout", _("The school's system took too long to respond. Try again later.")
    ),
    upstream.UpstreamInvalid: UPSTREAM_INVALID,
    upstream.AnswerTooLarge: Row(
        502,
        "answer_too_large",
        _("What the school sends is too long to be shown here. Read it on the school's own page."),
    ),
    upstream.FileTooLarge: Row(
        413,
        "too_large",
        _("This file is too large to be shown here. Open it at the school."),
    ),
    upstream.UpstreamChanged: Row(
        502,
        "upstream_changed",
        _("The school's system has changed and we cannot read this yet. Try again another day."),
    ),
    upstream.SessionDead: NOT_SIGNED_IN,
    upstream.WrongKind: Row(
        403,
        "wrong_kind",
        _("The school does not know you as this kind of person. Sign in as another kind."),
    ),
    upstream.CredentialsRefused: Row(
        401, "invalid_credentials", _("The username or the password is wrong.")
    ),
    upstream.PasswordLoginDisabled: Row(
        403, "password_login_disabled", _("You cannot sign in to this school with a password.")
    ),
    upstream.NotForThisRole: Row(
        403, "not_for_this_role", _("Your school does not show this to your type of account.")
    ),
    upstream.NotForThisLogin: Row(
        403,
        "not_for_this_login",
        _("The school shows this only on its own web pages. Read it there."),
    ),
    upstream.UpstreamNotFound: NOT_FOUND,
    # --- notifications
    notifications.PushOff: Row(404, "push_off", _("This service sends no push notifications.")),
    notifications.PushEndpointRefused: Row(
        400,
        "push_endpoint_refused",
        _("We cannot send push notifications to this address."),
    ),
    # --- accounts
    accounts.NotSignedIn: NOT_SIGNED_IN,
    accounts.OtherSession: Row(
        401, "other_session", _("Somebody else has signed in here. Open the app again.")
    ),
    # A key was lost, or a value was copied to another row: the person has to sign in again.
    SecretUnreadable: NOT_SIGNED_IN,
    accounts.NothingToRefresh: Row(
        401, "nothing_to_refresh", _("Your session cannot be renewed. Please sign in again.")
    ),
    accounts.WrongPassword: Row(403, "wrong_password", _("This is not your password.")),
    accounts.AccountSuspended: Row(
        403,
        "account_suspended",
        _("This account is suspended. Contact the people who run this service."),
    ),
    TooManyRequests: TOO_MANY,
    accounts.InvalidAttempt: Row(
        400,
        "invalid_attempt",
        _("This sign-in has expired or was already used. Please start again."),
    ),
    accounts.SignInRefused: Row(
        403,
        "refused",
        _("The school's system refused this sign-in. Ask your school whether apps are allowed."),
    ),
    accounts.MethodNotOffered: Row(
        400,
        "method_not_offered",
        _("You cannot sign in to this school in this way. Choose another one."),
    ),
    accounts.SignInAgain: Row(
        403,
        "sign_in_again",
        _("To do this, sign out, sign in again through your school, and do it within ten minutes."),
    ),
    accounts.SchoolUnknown: Row(
        404, "school_unknown", _("We do not know this school. Check its name.")
    ),
    accounts.NotFound: NOT_FOUND,
    accounts.TooManyKept: TOO_MANY_KEPT,
    accounts.ChangedTooOften: Row(
        409, "changed_too_often", _("This was changed too often. Leave it as it is for now.")
    ),
    accounts.SessionUnknown: NOT_FOUND,
    accounts.InvalidInput: INVALID_INPUT,
    accounts.ChildNotAllowed: Row(
        400, "child_not_allowed", _("Only guardians can choose a child. Leave it out.")
    ),
    accounts.DisplayNameRefused: Row(
        400,
        "display_name_refused",
        _("People could think that you work at the school. Choose another name."),
    ),
    accounts.ChildRequired: Row(400, "child_required", _("Choose one of your children first.")),
    accounts.SignInNeeded: Row(
        409, "sign_in_needed", _("Please sign in again to see your other child.")
    ),
    accounts.ChildUnknown: NOT_FOUND,
    accounts.PictureTooLarge: TOO_LARGE,
    accounts.PictureBusy: Row(
        503,
        "picture_busy",
        _("Many pictures are being processed right now. Try again in a moment."),
        5,
    ),
    accounts.PictureUnknown: NOT_FOUND,
    StoreUnavailable: STORE_AWAY,
    # --- schoolproxy
    schoolproxy.FeedUnknown: NOT_FOUND,
    schoolproxy.SwitchedOff: Row(404, "switched_off", _("Your school does not use this.")),
    schoolproxy.SchoolItemUnknown: NOT_FOUND,
    # --- social
    social.NotAllowed: FORBIDDEN,
    social.DmRefused: Row(403, "dm_refused", _("You cannot send messages to this person.")),
    social.RequestRefused: Row(
        403, "request_refused", _("Only the pupil can send this friend request. You can accept it.")
    ),
    social.AdultNotKnown: Row(
        403,
        "adult_not_known",
        _("Teachers and guardians can only join a group when all pupils in it are their friends."),
    ),
    social.EditWindowClosed: Row(
        403, "edit_window_closed", _("A message can only be changed within a day of sending it.")
    ),
    social.StateConflict: Row(
        409, "conflict", _("That is not possible right now. Reload and try again.")
    ),
    social.NotAGroup: Row(
        409, "not_a_group", _("This is only possible in a group, not in a chat between two people.")
    ),
    social.AlreadyMember: Row(
        409, "already_member", _("This person is already a member of the group.")
    ),
    social.CannotJoin: Row(
        409,
        "conflict",
        _("You cannot join this group right now. Ask the person who invited you."),
    ),
    social.AlreadyFriends: Row(409, "already_friends", _("You are already friends.")),
    social.AlreadyAsked: Row(409, "already_asked", _("You have already asked this person.")),
    social.AskedRecently: Row(
        409, "asked_recently", _("You asked this person recently. You can ask again after 30 days.")
    ),
    social.AlreadyAnswered: Row(
        409, "already_answered", _("This request has already been answered.")
    ),
    social.DeclinedRecently: Row(
        409,
        "declined_recently",
        _("This person declined an invite a short time ago. Wait before you ask again."),
    ),
    social.MembersChanged: Row(
        409,
        "members_changed",
        _("Somebody has joined this group since you last looked. Look at its members again."),
    ),
    social.GroupFull: Row(409, "group_full", _("This group is full.")),
    social.MessageGone: Row(409, "message_gone", _("This message has been deleted.")),
    social.ClientIdReused: Row(
        409,
        "client_id_reused",
        _("This clientId was already used for another message. Use a new one."),
    ),
    social.IvReused: Row(
        409, "iv_reused", _("This IV was already used. Encrypt the message again with a new one.")
    ),
    social.NotForEncrypted: Row(
        400, "not_for_encrypted", _("This is not possible in an encrypted conversation.")
    ),
    social.WrongEnvelope: Row(400, "wrong_envelope", _("This is not a valid encrypted message.")),
    # --- notes
    notes.TakenDown: Row(
        403,
        "taken_down",
        _("Staff have ended the sharing of this note, so you cannot share it again."),
    ),
    notes.StaleVersion: Row(
        409, "stale_version", _("The note was changed somewhere else. Reload it and try again.")
    ),
    notes.QuotaExceeded: Row(
        409, "quota_exceeded", _("Your notes take up all the space you have. Delete some first.")
    ),
    # --- this project
    accounts.CrossOrigin: Row(
        403, "cross_origin", _("This request came from another website, so it was refused.")
    ),
    strict_json.InvalidJson: INVALID_JSON,
    strict_json.NestedTooDeep: Row(
        400, "nested_too_deep", _("What you sent is nested too deeply. Use fewer levels.")
    ),
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
    ParseException: BAD_REQUEST,  # gunicorn: a malformed chunk of a body
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
