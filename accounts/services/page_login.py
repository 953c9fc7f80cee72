"""Signing in through the school's own page: the start, and what comes back.

An attempt is kept in the store, sealed, under the keyed hash of a random id that only the browser
has, in a cookie. The browser comes back with a code of upstream's. Then the attempt is taken out of
the store, so that it can be used once, and only after that the code is exchanged.

An app that opens the system's browser gets a ticket instead, at an address of its own. The code
waits under it for the app, which proves with its own verifier that it has begun (RFC 8252).
"""

import hmac
import secrets
import time
from collections.abc import Mapping
from dataclasses import astuple, dataclass, field
from typing import Any, Literal

import orjson
from django.conf import settings
from django.db import DatabaseError, InterfaceError
from django.views.decorators.debug import sensitive_variables

import store
from accounts.addresses import network_of
from accounts.encryption import keyed_hash, seal, unseal
from accounts.errors import AccountError, AccountSuspended, InvalidAttempt, SignInRefused
from accounts.limits import PAGE_ATTEMPT_SECONDS, PAGE_STARTS, TICKET_SECONDS
from accounts.origins import public_url
from accounts.return_addresses import default_path, with_parameters
from accounts.services.login_methods import Kind, require_page
from accounts.services.sign_in import LoginSource, SignedIn, sign_in
from limits import refund, spend
from store import StoreUnavailable
from upstream import pkce
from upstream.calls.login import MAX_CODE, exchange_code
from upstream.calls.sign_in_page import sign_in_url
from upstream.deadline import deadline_scope, own_deadline
from upstream.dialects import PAGE_DIALECTS
from upstream.errors import ForeignOrganization, GrantRefused, UpstreamError, WrongKind
from upstream.records import PageKind
from upstream.shared_client import client

CALLBACK_PATH = "/api/v2/callback"
# Of all calls of a callback together; one has eight.
CALLBACK_SECONDS = 20.0
LoginError = Literal["cancelled", "expired", "wrong_kind", "refused", "suspended", "try_again"]
_FAILURES = (AccountError, UpstreamError, StoreUnavailable, DatabaseError, InterfaceError)


class _Cancelled(AccountError):
    """The person has changed their mind."""


# The others are `try_again`.
_WORDS: dict[type[Exception], LoginError] = {
    InvalidAttempt: "expired",
    _Cancelled: "cancelled",
    GrantRefused: "refused",
    WrongKind: "wrong_kind",
    ForeignOrganization: "wrong_kind",
    AccountSuspended: "suspended",
}


@dataclass(frozen=True, slots=True)
class AppStart:
    """What an app has said at its start: where its ticket goes, its own state and challenge."""

    redirect_uri: str
    state: str = field(repr=False)
    challenge: str


@dataclass(frozen=True, slots=True)
class Attempt:
    """One sign-in that has begun. `return_to` is the path for a browser."""

    school: str
    kind: PageKind
    state: str = field(repr=False)
    verifier: str = field(repr=False)
    return_to: str
    app: AppStart | None = None


@dataclass(frozen=True, slots=True)
class Started:
    """Where the browser goes, and the id that its cookie keeps."""

    url: str = field(repr=False)
    attempt_id: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class Returned:
    """Where the browser goes after its callback, and who has signed in there, if anybody.
    `is_over`: the attempt of its cookie is."""

    location: str = field(repr=False)
    is_over: bool
    signed_in: SignedIn | None = None


def start(
    *,
    school: str,
    kind: Kind,
    return_to: str,
    address: str,
    redirect_uri: str | None = None,
    app_state: str = "",
    app_challenge: str = "",
) -> Started:
    """Begin a sign-in of a person of this kind. `address` is the client's, whose starts are counted
    until one has led to a sign-in. The last three are those of an app.

    Raises: SchoolUnknown, MethodNotOffered, TooManyRequests, StoreUnavailable, upstream's errors.
    """
    network = network_of(address)
    spend(PAGE_STARTS, network)
    page_kind = require_page(school, kind)
    pair, state, attempt_id = pkce.make_pair(), pkce.make_state(), secrets.token_urlsafe(32)
    app = AppStart(redirect_uri, app_state, app_challenge) if redirect_uri else None
    attempt = Attempt(school, page_kind, state, pair.verifier, return_to or default_path(), app)
    key = _key("attempt", attempt_id)
    store.put(key, seal("page login", key, orjson.dumps(astuple(attempt))), PAGE_ATTEMPT_SECONDS)
    url = sign_in_url(
        client(),
        school=school,
        kind=page_kind,
        redirect_uri=settings.LOGIN_CALLBACK_URL or public_url(CALLBACK_PATH),
        state=state,
        challenge=pair.challenge,
    )
    return Started(url, attempt_id)


@sensitive_variables()
def come_back(*, attempt_id: str | None, query: Mapping[str, str], source: LoginSource) -> Returned:
    """What a browser's callback leads to. Never raises: whatever fails is a word in the address."""
    attempt = None
    try:
        attempt = _take_attempt(attempt_id, query.get("state", ""))
        code = _code_of(query)
        if attempt.app is not None:
            return Returned(_with_ticket(attempt, attempt.app, code), is_over=True)
        with own_deadline(), deadline_scope(time.monotonic() + CALLBACK_SECONDS):
            signed_in = _exchange(attempt, code, source)
    except _FAILURES as failure:
        location = _failed(attempt, _word_of(failure))
        return Returned(location, is_over=attempt is not None)
    return Returned(attempt.return_to, is_over=True, signed_in=signed_in)


@sensitive_variables()
def redeem_ticket(
    *, ticket: str, verifier: str, state: str | None, source: LoginSource
) -> SignedIn:
    """Sign in the app that began with the challenge of this verifier. `state` is the app's own, if
    it says it.

    Raises: InvalidAttempt for a ticket that is unknown, used, expired, or another app's;
    SignInRefused (the school refuses the code), WrongKind, AccountSuspended, NotSignedIn,
    StoreUnavailable, upstream's errors.
    """
    key = _key("ticket", ticket)
    opened = unseal("page login", key, store.get(key))
    if opened is None:
        raise InvalidAttempt
    code, *fields = orjson.loads(opened)
    attempt = _decode(fields)
    app = attempt.app
    if (
        app is None
        or not _equal(pkce.challenge_of(verifier), app.challenge)
        or (state is not None and not _equal(state, app.state))
        or store.take(key) is None
    ):
        raise InvalidAttempt
    try:
        return _exchange(attempt, code, source)
    except GrantRefused:
        raise SignInRefused from None
    except ForeignOrganization:
        raise WrongKind("at no organisation of the school") from None


def _take_attempt(attempt_id: str | None, state: str) -> Attempt:
    """The attempt of this cookie, once, if the state is its own."""
    key = _key("attempt", attempt_id or "")
    opened = unseal("page login", key, store.get(key)) if attempt_id else None
    if opened is None:
        raise InvalidAttempt
    attempt = _decode(orjson.loads(opened))
    if not _equal(state, attempt.state) or store.take(key) is None:
        raise InvalidAttempt
    return attempt


def _code_of(query: Mapping[str, str]) -> str:
    """The code of a callback. Raises: _Cancelled, GrantRefused, InvalidAttempt."""
    error, code = query.get("error"), query.get("code", "")
    if error == "access_denied":
        raise _Cancelled
    if error is not None:
        raise GrantRefused("the school's page returned an error")
    if not code or len(code) > MAX_CODE or not code.isascii() or not code.isprintable():
        raise InvalidAttempt
    return code


def _with_ticket(attempt: Attempt, app: AppStart, code: str) -> str:
    ticket = secrets.token_urlsafe(32)
    key = _key("ticket", ticket)
    sealed = seal("page login", key, orjson.dumps([code, *astuple(attempt)]))
    store.put(key, sealed, TICKET_SECONDS)
    return with_parameters(app.redirect_uri, ticket=ticket, state=app.state)


@sensitive_variables()
def _exchange(attempt: Attempt, code: str, source: LoginSource) -> SignedIn:
    grant = exchange_code(
        client(),
        school=attempt.school,
        code=code,
        verifier=attempt.verifier,
        dialect=PAGE_DIALECTS[attempt.kind],
    )
    signed_in = sign_in(attempt.school, grant, source, kind=attempt.kind)
    refund(PAGE_STARTS, network_of(source.address))
    return signed_in


def _failed(attempt: Attempt | None, word: LoginError) -> str:
    if attempt is not None and attempt.app is not None:
        return with_parameters(attempt.app.redirect_uri, error=word, state=attempt.app.state)
    return with_parameters(attempt.return_to if attempt else default_path(), login_error=word)


def _word_of(failure: Exception) -> LoginError:
    return next((word for kind, word in _WORDS.items() if isinstance(failure, kind)), "try_again")


def _key(purpose: str, secret: str) -> str:
    return f"page-login:{keyed_hash(f'page login {purpose}', secret)}"


def _decode(fields: list[Any]) -> Attempt:
    school, kind, state, verifier, return_to, app = fields
    return Attempt(school, kind, state, verifier, return_to, AppStart(*app) if app else None)


def _equal(theirs: str, ours: str) -> bool:
    """Compare in constant time."""
    return hmac.compare_digest(theirs.encode(errors="replace"), ours.encode())
