"""Logging in: the authorization code flow with PKCE, in one call or in two halves.

The password is sent to upstream in one request and not stored. The user name as it was typed is
only used in that request and in the keyed hash of the rate limit.
"""

import hmac
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

import orjson
from django.views.decorators.debug import sensitive_variables

import store
from accounts.addresses import network_of
from accounts.callers import Caller
from accounts.database import release_database_connection
from accounts.encryption import keyed_hash, seal, unseal
from accounts.errors import InvalidAttempt, SchoolUnknown, WrongPassword
from accounts.limits import ATTEMPT_SECONDS, ATTEMPT_TRIES, LOGIN, LOGIN_ADDRESS
from accounts.name_comparison import normalize_username
from accounts.services.ended_sessions import end_web_session
from accounts.services.login_methods import has_some_page
from accounts.services.schools import known_school
from accounts.services.session_answers import fetch_session_answer
from accounts.services.sign_in import LoginSource, SignedIn, sign_in
from limits import RateLimit, TooManyRequests, refund, spend
from stats import counters
from upstream.calls.login import authorize, exchange_code
from upstream.calls.web_sessions import translate_token
from upstream.errors import (
    CredentialsRefused,
    GrantRefused,
    PasswordLoginDisabled,
    SessionDead,
    UpstreamInvalid,
    UpstreamNotFound,
)
from upstream.pkce import make_pair, make_state
from upstream.records import School
from upstream.shared_client import client


@dataclass(frozen=True, slots=True)
class _Authorized:
    """An authorization code, and what is needed to exchange it for a token."""

    code: str = field(repr=False)
    state: str = field(repr=False)
    verifier: str = field(repr=False)


@sensitive_variables("username", "password", "granted")
def log_in(*, username: str, password: str, school: str, source: LoginSource) -> SignedIn:
    """The whole flow in one call.

    Raises: SchoolUnknown, PasswordLoginDisabled, CredentialsRefused, AccountSuspended, NotSignedIn
    (the account is being erased, or the new login was ended), TooManyRequests, and upstream's other
    errors.
    """
    granted = _authorize(username, password, school, source)
    try:
        grant = exchange_code(client(), school=school, code=granted.code, verifier=granted.verifier)
    except GrantRefused:
        raise UpstreamInvalid("upstream refused the code that it had just issued") from None
    return sign_in(school, grant, source)


@sensitive_variables()
def initiate(*, username: str, password: str, school: str, source: LoginSource) -> tuple[str, str]:
    """The first half: (code, state) for the caller. The verifier stays in the store, sealed.

    Raises: as `log_in`, and StoreUnavailable, because the attempt cannot be stored.
    """
    granted = _authorize(username, password, school, source)
    key = _attempt_key(granted.state)
    attempt = [keyed_hash("attempt code", granted.code), granted.verifier, school]
    store.put(key, seal("login attempt", key, orjson.dumps(attempt)), ATTEMPT_SECONDS)
    return granted.code, granted.state


@sensitive_variables("code", "state", "verifier")
def complete(*, code: str, state: str, school: str, source: LoginSource) -> SignedIn:
    """The second half. Raises `InvalidAttempt` for a state or code that is not valid here."""
    verifier = _take_verifier(state=state, code=code, school=school)
    try:
        grant = exchange_code(client(), school=school, code=code, verifier=verifier)
    except GrantRefused:
        raise InvalidAttempt from None
    return sign_in(school, grant, source)


@sensitive_variables("password", "granted", "grant")
def confirm_password(*, caller: Caller, password: str, source: LoginSource) -> None:
    """Check that a password is the caller's, by a login at upstream that is ended at once.

    Counted like any login. Raises: WrongPassword, also where the password opens another person's
    session; PasswordLoginDisabled, TooManyRequests, upstream's errors.
    """
    school = caller.school
    try:
        granted = _authorize(caller.upstream.user_name, password, school, source)
    except CredentialsRefused:
        raise WrongPassword from None
    try:
        grant = exchange_code(client(), school=school, code=granted.code, verifier=granted.verifier)
        web = translate_token(client(), school=school, access_token=grant.access_token)
        try:
            answer = fetch_session_answer(school=school, web=web)
        finally:
            end_web_session(school, web)
    except (GrantRefused, SessionDead, UpstreamNotFound):
        raise UpstreamInvalid("upstream refused what it had just issued") from None
    if answer.user_id != caller.upstream.user_id:
        raise WrongPassword


@sensitive_variables("username", "password", "pair", "state", "code")
def _authorize(username: str, password: str, school: str, source: LoginSource) -> _Authorized:
    release_database_connection()
    row = known_school(school)
    if row.password_login is False:
        raise _password_disabled(row)
    pair, state = make_pair(), make_state()
    with _counted(username, school, source):
        try:
            code = authorize(
                client(),
                school=school,
                username=username,
                password=password,
                challenge=pair.challenge,
                state=state,
                orgid=_school_number(row),
            )
        except UpstreamNotFound:
            raise SchoolUnknown from None
        except PasswordLoginDisabled:
            raise _password_disabled(row) from None
    return _Authorized(code, state, pair.verifier)


def _password_disabled(row: School) -> PasswordLoginDisabled:
    return PasswordLoginDisabled("no password", redirect=has_some_page(row))


@sensitive_variables()
def _take_verifier(*, state: str, code: str, school: str) -> str:
    """The verifier of the attempt with this state and code, once.

    Raises `InvalidAttempt` when the attempt is unknown, used, expired, or of another code or
    school; the third wrong try deletes it. Of several right tries at once, one gets the verifier.
    """
    key = _attempt_key(state)
    opened = unseal("login attempt", key, store.get(key))
    if opened is None:
        raise InvalidAttempt
    code_hash, verifier, attempt_school = orjson.loads(opened)
    right_code = hmac.compare_digest(code_hash, keyed_hash("attempt code", code))
    if not (right_code and hmac.compare_digest(attempt_school.encode(), school.encode())):
        if _is_last_try(key):
            store.delete(key)
        raise InvalidAttempt
    if store.take(key) is None:
        raise InvalidAttempt
    return str(verifier)


def _is_last_try(key: str) -> bool:
    """Count a wrong try of the attempt. Returns whether no other one is left."""
    tries = range(ATTEMPT_TRIES - 1)
    return not any(store.add(f"try-{number}:{key}", b"1", ATTEMPT_SECONDS) for number in tries)


def _attempt_key(state: str) -> str:
    return f"attempt:{keyed_hash('attempt state', state)}"


def _school_number(school: School) -> str | None:
    """Upstream's number of a school, for the dialect that wants it instead of the slug. None where
    several schools share the slug."""
    if len(school.org_ids) != 1 or not client().dialect(school.slug).wants_identity:
        return None
    return str(school.org_ids[0])


@contextmanager
def _counted(username: str, school: str, source: LoginSource) -> Iterator[None]:
    """Count a failed login in advance, and take it back unless the password was wrong. So the limit
    is exact for simultaneous tries.

    An answer that we cannot read says nothing about the password, so it does not lock the person
    out, but it stays counted for the address: whoever can provoke such answers could otherwise
    try without end. Only a keyed hash of the user name becomes part of a counter's name.
    """
    network = network_of(source.address)
    person = keyed_hash("login limit", school, normalize_username(username), network)
    # The address first: names that nobody has must not fill the store with counters.
    spend(LOGIN_ADDRESS, network)
    try:
        spend(LOGIN, person)
    except TooManyRequests:
        refund(LOGIN_ADDRESS, network)
        raise
    counted: tuple[RateLimit, ...] = ()
    try:
        yield
    except CredentialsRefused:
        counted = (LOGIN, LOGIN_ADDRESS)
        counters.count("login_failed")
        raise
    except UpstreamInvalid:
        counted = (LOGIN_ADDRESS,)
        raise
    finally:
        for limit, key in ((LOGIN, person), (LOGIN_ADDRESS, network)):
            if limit not in counted:
                refund(limit, key)
