"""Asking upstream whose a credential is, when the cached session is missing or too old.

Validations of one credential run one at a time: by `single_flight` within this process, by
`best_effort_lock` across processes.
"""

import time
from contextlib import ExitStack, suppress

from django.utils import timezone

from accounts import session_cache
from accounts.addresses import network_of
from accounts.cookies import Credential
from accounts.database import release_database_connection
from accounts.encryption import SecretUnreadable
from accounts.errors import NotSignedIn, SchoolUnknown, SessionMismatch
from accounts.limits import UNKNOWN_COOKIES
from accounts.models import Account, ServiceSession
from accounts.rate_limits import refund, spend
from accounts.services.accounts import find_or_create_account, keep_organization
from accounts.services.schools import known_school
from accounts.services.session_answers import fetch_session_answer
from accounts.services.session_records import find_record, record_use
from accounts.services.suspension import require_not_refused
from accounts.session_cache import CachedSession, credential_hints
from accounts.single_flight import best_effort_lock, single_flight
from upstream.calls.login import translate_token
from upstream.errors import (
    ForeignOrganization,
    SessionDead,
    UpstreamInvalid,
    UpstreamNotFound,
    UpstreamTimeout,
    UpstreamUnavailable,
)
from upstream.records import WebSession
from upstream.shared_client import client

# Two calls to upstream with a deadline of 8 s each: a new web session, and the session check. With
# a third before them, of an old web session that has died, they may outlast the lock, which only
# saves calls.
VALIDATION_SECONDS = 20.0


def validate(credential: Credential, address: str) -> CachedSession:
    """The session of a credential as upstream describes it, or the last cached description while
    upstream fails.

    Requests that wait for another one's validation take one of the school's slots, too.
    """
    hint = credential_hints.get(credential.hash)
    school = credential.school or (hint.school if hint else "")
    release_database_connection()
    with ExitStack() as scopes:
        if school:
            try:
                scopes.enter_context(client().request_scope(school))
            except UpstreamUnavailable:
                # Our calls would be refused at once, too, so there is nothing to wait for.
                return _validate_once(credential, address)
        return _validate_in_turn(credential, address)


def _validate_in_turn(credential: Credential, address: str) -> CachedSession:
    def work() -> CachedSession:
        with best_effort_lock(f"validate:{credential.hash}", lease=VALIDATION_SECONDS, wait=10.0):
            return _validate_once(credential, address)

    return single_flight(f"validate:{credential.hash}", work, wait=VALIDATION_SECONDS)


def _validate_once(credential: Credential, address: str) -> CachedSession:
    known = session_cache.read(credential.hash)
    record = find_record(credential)
    _refuse_without_asking(credential, record, known)
    if known and known.is_fresh(time.time()):
        return known  # another process has just validated it
    try:
        session = _fetch(credential, record, known, address)
    except SessionDead:
        session_cache.forget(credential.hash)
        raise NotSignedIn from None
    except ForeignOrganization:
        session_cache.forget(credential.hash)  # the cookies may belong to somebody else now
        raise
    except (UpstreamUnavailable, UpstreamTimeout, UpstreamInvalid, UpstreamNotFound) as error:
        if known and known.within_outage_grace(time.time()):
            return session_cache.postpone_check(known, credential.hash)
        if isinstance(error, UpstreamNotFound):
            raise UpstreamInvalid("upstream has no session endpoint any more") from None
        raise
    session_cache.remember(session, credential.hash)
    if record and (credential.web or credential.token):  # not for a calendar feed
        record_use(record)
    return session


def _refuse_without_asking(
    credential: Credential, record: ServiceSession | None, known: CachedSession | None
) -> None:
    """Raises AccountSuspended, NotSignedIn if the account was or is being erased, and
    SessionMismatch for the cookies of a record with another school."""
    account = record.account if record else None
    if account is None and known is not None:
        account = Account.objects.filter(pk=known.account_id).first()
        if account is None:
            session_cache.forget(credential.hash)
            raise NotSignedIn
    if account is not None:
        require_not_refused(account)
    if record and credential.via == "cookie" and record.account.school != credential.school:
        raise SessionMismatch


def _fetch(
    credential: Credential, record: ServiceSession | None, known: CachedSession | None, address: str
) -> CachedSession:
    release_database_connection()
    if credential.web is not None:
        if record is None:
            return _fetch_unrecorded(credential, credential.web, address)
        return _session(record, credential.web, known)
    if record is None:
        raise SessionDead
    if known is not None:
        try:
            return _session(record, known.web, known)
        except SessionDead:
            pass  # the web session has expired; the token may be valid
    return translate_record(record)


def translate_record(record: ServiceSession) -> CachedSession:
    """A new web session from a record's token, checked to be of the same person.

    Raises: SessionDead when the token has expired, SessionMismatch, upstream's errors.
    """
    if not record.seconds_left(timezone.now()):
        raise SessionDead
    release_database_connection()
    school = record.account.school
    web = translate_token(
        client(),
        school=school,
        access_token=record.secret("access_token") or "",
        user_id=record.account.upstream_user_id,
    )
    return _session(record, web, None)


def _fetch_unrecorded(credential: Credential, web: WebSession, address: str) -> CachedSession:
    """The session of a cookie pair without a record.

    Counts against the limit of the client's network unless upstream accepts it or cannot be
    reached, so that guessing is bounded. An answer that we cannot read counts: the pair may have
    been made up to provoke it.
    """
    try:
        known_school(credential.school)
    except SchoolUnknown:
        raise NotSignedIn from None
    network = network_of(address)
    spend(UNKNOWN_COOKIES, network)
    try:
        answer = fetch_session_answer(school=credential.school, web=web, untrusted=True)
    except (UpstreamUnavailable, UpstreamTimeout):
        refund(UNKNOWN_COOKIES, network)  # upstream's outage is not a wrong guess
        raise
    refund(UNKNOWN_COOKIES, network)
    account = find_or_create_account(credential.school, answer)
    require_not_refused(account)
    now = time.time()
    return CachedSession(account.pk, account.username, account.school, None, web, answer, now, now)


def _session(record: ServiceSession, web: WebSession, known: CachedSession | None) -> CachedSession:
    """The session of a record with these web cookies, if upstream says that it is the person's."""
    account = record.account
    answer = fetch_session_answer(school=account.school, web=web, accepted=account.organization_id)
    if answer.user_id != account.upstream_user_id:
        raise SessionMismatch
    keep_organization(account, answer)
    now = time.time()
    since = known.web_since if known and known.web == web else now
    return CachedSession(
        account.pk,
        account.username,
        account.school,
        record.pk,
        web,
        answer,
        now,
        since,
        _token_ends_at(record),
    )


def _token_ends_at(record: ServiceSession) -> float | None:
    with suppress(SecretUnreadable, ValueError):
        return record.expires_at.timestamp()
    return None
