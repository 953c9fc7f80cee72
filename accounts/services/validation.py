"""Asking upstream who a credential belongs to, when the store knows nothing fresh.

One validation is in flight per session: `single_flight` sees to that within this process,
`best_effort_lock` across processes.
"""

import time
from contextlib import ExitStack

from django.utils import timezone

from accounts import session_cache
from accounts.cookies import Credential
from accounts.database import release_database_connection
from accounts.errors import AccountSuspended, NotSignedIn, SchoolUnknown, SessionMismatch
from accounts.limits import network_of, refund, spend
from accounts.models import Account, ServiceSession
from accounts.services.accounts import find_or_create_account
from accounts.services.schools import known_school
from accounts.services.session_records import find_record, record_use
from accounts.session_cache import CachedSession, credential_hints
from accounts.single_flight import best_effort_lock, single_flight
from upstream.calls.login import translate_token
from upstream.calls.session import fetch_session
from upstream.errors import (
    SessionDead,
    UpstreamAway,
    UpstreamInvalid,
    UpstreamNotFound,
    UpstreamTimeout,
)
from upstream.records import UpstreamSession, WebSession
from upstream.shared_client import client

# A translation and a session check of 8 s each fit in, and a write has both for itself.
VALIDATION_SECONDS = 20.0


def validate(credential: Credential, address: str) -> CachedSession:
    """What upstream says of a credential, or what it said a while ago when it cannot be asked.

    Who waits for an answer counts as a request of the school, also where another one asks.
    """
    hint = credential_hints.get(credential.hash)
    school = credential.school or (hint.school if hint else "")
    release_database_connection()
    with ExitStack() as scopes:
        if school:
            try:
                scopes.enter_context(client().request_scope(school))
            except UpstreamAway:
                return _validate_once(credential, address)  # it is refused at once as well
        return _validate_in_turn(credential, address)


def _validate_in_turn(credential: Credential, address: str) -> CachedSession:
    def work() -> CachedSession:
        with best_effort_lock(f"validate:{credential.hash}", lease=VALIDATION_SECONDS, wait=10.0):
            return _validate_once(credential, address)

    try:
        return single_flight(f"validate:{credential.hash}", work, wait=VALIDATION_SECONDS)
    except TimeoutError:
        raise UpstreamTimeout from None


def _validate_once(credential: Credential, address: str) -> CachedSession:
    known = session_cache.read(credential.hash)
    record = find_record(credential)
    _refuse_closed_account(credential, record, known)
    if known and known.is_fresh(time.time()):
        return known  # another process has just asked
    if record and credential.via == "cookie" and record.account.school != credential.school:
        raise SessionMismatch
    try:
        entry = _ask_upstream(credential, record, known, address)
    except SessionDead:
        session_cache.forget(credential.hash)
        raise NotSignedIn from None
    except (UpstreamAway, UpstreamTimeout, UpstreamInvalid):
        if known and known.within_outage_grace(time.time()):
            return session_cache.postpone_check(known, credential.hash)
        raise
    session_cache.remember(entry, credential.hash)
    if record and (credential.web or credential.token):  # somebody showed it: no feed of ours
        record_use(record)
    return entry


def _refuse_closed_account(
    credential: Credential, record: ServiceSession | None, known: CachedSession | None
) -> None:
    """Raises AccountSuspended, or NotSignedIn for an account that was erased since."""
    account = record.account if record else None
    if account is None and known is not None:
        account = Account.objects.filter(pk=known.account_id).first()
        if account is None:
            session_cache.forget(credential.hash)
            raise NotSignedIn
    if account is not None and account.is_suspended:
        raise AccountSuspended


def _ask_upstream(
    credential: Credential, record: ServiceSession | None, known: CachedSession | None, address: str
) -> CachedSession:
    release_database_connection()
    try:
        return _ask(credential, record, known, address)
    except UpstreamNotFound:
        raise UpstreamInvalid("no session endpoint where one was") from None


def _ask(
    credential: Credential, record: ServiceSession | None, known: CachedSession | None, address: str
) -> CachedSession:
    if credential.web is not None:
        if record is None:
            return _ask_for_unrecorded(credential, credential.web, address)
        answer = fetch_session(client(), school=credential.school, web=credential.web)
        return _entry(record, credential.web, answer, known)
    if record is None:
        raise SessionDead
    if known is not None:
        try:
            answer = fetch_session(client(), school=record.account.school, web=known.web)
            return _entry(record, known.web, answer, known)
        except SessionDead:
            pass  # the web session is over; the token may live
    return translate_record(record)


def translate_record(record: ServiceSession) -> CachedSession:
    """A new web session from a record's token, and whose it is: the answer is compared.

    Raises: SessionDead when the token is over, SessionMismatch, upstream's errors.
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
    return _entry(record, web, fetch_session(client(), school=school, web=web), None)


def _ask_for_unrecorded(credential: Credential, web: WebSession, address: str) -> CachedSession:
    """A cookie pair that no record knows: upstream says whose it is, and it is served.

    Counted against the address until it proves good, so that guessing costs upstream nothing.
    """
    try:
        known_school(credential.school)
    except SchoolUnknown:
        raise NotSignedIn from None
    network = network_of(address)
    spend("login_address", network)
    try:
        answer = fetch_session(client(), school=credential.school, web=web, untrusted=True)
    except (UpstreamAway, UpstreamTimeout, UpstreamInvalid):
        refund("login_address", network)  # upstream's trouble is no guess
        raise
    refund("login_address", network)
    account = find_or_create_account(credential.school, answer)
    if account.is_suspended:
        raise AccountSuspended
    now = time.time()
    return CachedSession(account.pk, account.username, account.school, None, web, answer, now, now)


def _entry(
    record: ServiceSession, web: WebSession, answer: UpstreamSession, known: CachedSession | None
) -> CachedSession:
    account = record.account
    if answer.user_id != account.upstream_user_id:
        raise SessionMismatch
    now = time.time()
    since = known.web_since if known and known.web == web else now
    return CachedSession(
        account.pk, account.username, account.school, record.pk, web, answer, now, since
    )
