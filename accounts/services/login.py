"""Logging in: the whole authorization code flow with PKCE, or its two halves.

The password goes into one request to upstream and nowhere else; what the person typed as name
is used for that request and for the limit's keyed hash, and not kept.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from django.db import transaction
from django.views.decorators.debug import sensitive_variables

from accounts.callers import Caller
from accounts.database import release_database_connection
from accounts.encryption import keyed_hash
from accounts.errors import AccountSuspended, InvalidAttempt, SchoolUnknown
from accounts.limits import network_of, refund, spend
from accounts.models import Account, ServiceSession
from accounts.services import login_attempts
from accounts.services.profiles import account_of
from accounts.services.schools import known_school
from accounts.services.session_records import end_upstream, open_record
from stats import counters
from upstream.calls.login import authorize, exchange_code, translate_token
from upstream.calls.session import fetch_session
from upstream.errors import (
    CredentialsRefused,
    GrantRefused,
    PasswordLoginDisabled,
    SessionDead,
    UpstreamInvalid,
    UpstreamNotFound,
)
from upstream.pkce import make_pair, make_state
from upstream.records import School, TokenGrant, UpstreamSession, WebSession
from upstream.shared_client import client


@dataclass(frozen=True, slots=True)
class Visitor:
    """Where a login comes from: the client's address and a coarse device label."""

    address: str
    device: str


@dataclass(frozen=True, slots=True)
class SignedIn:
    """All that a login yields."""

    account: Account
    record: ServiceSession
    grant: TokenGrant
    web: WebSession
    upstream: UpstreamSession = field(repr=False)


@sensitive_variables("username", "password", "code", "verifier", "pair", "state")
def log_in(
    *, username: str, password: str, school: str, orgid: str | None, visitor: Visitor
) -> SignedIn:
    """The whole flow in one call.

    Raises: SchoolUnknown, PasswordLoginDisabled, CredentialsRefused, AccountSuspended,
    TooManyRequests, and upstream's other errors.
    """
    pair, state = make_pair(), make_state()
    code = _authorize(
        username=username,
        password=password,
        school=school,
        orgid=orgid,
        challenge=pair.challenge,
        state=state,
        visitor=visitor,
    )
    try:
        grant = exchange_code(client(), school=school, code=code, verifier=pair.verifier)
    except GrantRefused:
        raise UpstreamInvalid("the code that it had just given was refused") from None
    return _sign_in(school, grant, visitor)


@sensitive_variables("username", "password", "code", "pair", "state")
def initiate(*, username: str, password: str, school: str, visitor: Visitor) -> tuple[str, str]:
    """The first half: (code, state) for the caller; the verifier stays with us.

    Raises: as `log_in`, and StoreUnavailable: without a store there is no place for an attempt.
    """
    pair, state = make_pair(), make_state()
    code = _authorize(
        username=username,
        password=password,
        school=school,
        orgid=None,
        challenge=pair.challenge,
        state=state,
        visitor=visitor,
    )
    login_attempts.keep(state=state, code=code, verifier=pair.verifier, school=school)
    return code, state


@sensitive_variables("code", "state", "verifier")
def complete(*, code: str, state: str, school: str, visitor: Visitor) -> SignedIn:
    """The second half. Raises `InvalidAttempt` for a state or code that is not good here."""
    verifier = login_attempts.take_verifier(state=state, code=code, school=school)
    try:
        grant = exchange_code(client(), school=school, code=code, verifier=verifier)
    except GrantRefused:
        raise InvalidAttempt from None
    return _sign_in(school, grant, visitor)


@sensitive_variables("username", "password", "code")
def _authorize(
    *,
    username: str,
    password: str,
    school: str,
    orgid: str | None,
    challenge: str,
    state: str,
    visitor: Visitor,
) -> str:
    release_database_connection()
    row = known_school(school)
    if row.password_login is False:
        raise PasswordLoginDisabled
    with _counted(username, school, visitor):
        try:
            return authorize(
                client(),
                school=school,
                username=username,
                password=password,
                challenge=challenge,
                state=state,
                orgid=orgid or _their_number(row),
            )
        except UpstreamNotFound:
            raise SchoolUnknown from None


@sensitive_variables("password", "code", "pair", "state", "grant")
def confirm_password(*, caller: Caller, password: str, visitor: Visitor) -> None:
    """Nothing, where the password is the caller's: upstream is asked by a fresh login, which is
    over at once. Counted and refused as a login.

    Raises: CredentialsRefused, also where the password opens another person's session;
    PasswordLoginDisabled, TooManyRequests, upstream's errors.
    """
    school, pair, state = caller.school, make_pair(), make_state()
    code = _authorize(
        username=caller.upstream.user_name,
        password=password,
        school=school,
        orgid=None,
        challenge=pair.challenge,
        state=state,
        visitor=visitor,
    )
    try:
        grant = exchange_code(client(), school=school, code=code, verifier=pair.verifier)
        web = translate_token(client(), school=school, access_token=grant.access_token)
        answer = fetch_session(client(), school=school, web=web)
    except (GrantRefused, SessionDead, UpstreamNotFound):
        raise UpstreamInvalid("what it had just given was refused") from None
    end_upstream(school, web)
    if answer.user_id != caller.upstream.user_id:
        raise CredentialsRefused


def _their_number(school: School) -> str | None:
    """Upstream's own number of a school, for the dialect that wants it in place of the slug."""
    if school.org_id is None or not client().dialect(school.slug).wants_identity:
        return None
    return str(school.org_id)


@contextmanager
def _counted(username: str, school: str, visitor: Visitor) -> Iterator[None]:
    """Count a failure before it can happen, and take it back when it did not: exact in a burst.

    The name is hashed with our key before it becomes part of a counter's name.
    """
    network = network_of(visitor.address)
    person = keyed_hash("login limit", school, username.strip().lower(), network)
    spend("login", person)
    try:
        spend("login_address", network)
    except Exception:
        refund("login", person)
        raise
    try:
        yield
    except CredentialsRefused:
        counters.count("login_failed")
        raise
    except BaseException:
        _take_back(person, network)
        raise
    _take_back(person, network)


def _take_back(person: str, network: str) -> None:
    refund("login", person)
    refund("login_address", network)


@sensitive_variables("grant")
def _sign_in(school: str, grant: TokenGrant, visitor: Visitor) -> SignedIn:
    try:
        web = translate_token(client(), school=school, access_token=grant.access_token)
        answer = fetch_session(client(), school=school, web=web)
    except (SessionDead, UpstreamNotFound):
        raise UpstreamInvalid("the token that it had just given was refused") from None
    with transaction.atomic():  # one commit, which is what a login costs on a disk
        account = account_of(school, answer)
        if not account.is_suspended:
            record = open_record(account=account, grant=grant, web=web, device=visitor.device)
    if account.is_suspended:
        raise AccountSuspended
    counters.count("login", account=account.pk, school=school)
    return SignedIn(account, record, grant, web, answer)
