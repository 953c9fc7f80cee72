"""Asking upstream whose a credential is, when the cached session is missing or too old."""

import time
from contextlib import ExitStack
from dataclasses import replace
from functools import partial

from accounts import session_cache
from accounts.addresses import network_of
from accounts.callers import network_person
from accounts.cookies import Credential
from accounts.database import release_database_connection
from accounts.errors import NotSignedIn, SchoolUnknown, SessionMismatch
from accounts.limits import UNKNOWN_COOKIES
from accounts.models import Account, ServiceSession
from accounts.person_hash import hash_of_person
from accounts.services.accounts import find_or_create_account
from accounts.services.renewal import with_live_token
from accounts.services.schools import known_school
from accounts.services.session_answers import fetch_session_answer
from accounts.services.session_records import (
    end_unrecorded,
    find_record,
    record_use,
    was_ended,
)
from accounts.services.web_sessions import describe_session, keep_session, translate_record
from accounts.session_cache import CachedSession, Lookup
from accounts.single_flight import best_effort_lock, single_flight
from limits import refund, spend
from upstream.errors import (
    ForeignOrganization,
    SessionDead,
    UpstreamError,
    UpstreamInvalid,
    UpstreamNotFound,
    UpstreamTimeout,
    UpstreamUnavailable,
)
from upstream.person import on_behalf_of
from upstream.records import WebSession
from upstream.shared_client import client

# Two calls to upstream with a deadline of 8 s each: a new web session, and the session check. With
# a third before them, of an old web session that has died, they may outlast the lock, which only
# saves calls.
VALIDATION_SECONDS = 20.0


def validate(credential: Credential, address: str) -> CachedSession:
    """The session of a credential as upstream describes it now, or the last cached description
    while upstream fails.

    An app that is opened sends many requests at once, to all processes. Three things keep them from
    all asking upstream:

    - The request scope counts them against what a school and a person may occupy of this process,
      also while they wait. Where that is used up, upstream counts as failing.
    - `single_flight`: requests of this process with the same credential share one validation.
    - `best_effort_lock`: of all processes one validates a credential at a time. The next one finds
      the result in the cache.
    """
    person = None
    if credential.school:
        person = _person(find_record(credential), None, address)
    release_database_connection()
    with ExitStack() as scopes:
        if person is not None:
            try:
                scopes.enter_context(client().request_scope(credential.school, person=person))
            except UpstreamUnavailable as error:
                return _without_asking(credential, error)
        work = partial(_validate_locked, credential, address)
        return single_flight(f"validate:{credential.hash}", work, wait=VALIDATION_SECONDS)


def _without_asking(credential: Credential, error: UpstreamUnavailable) -> CachedSession:
    lookup, _record = _look_up(credential)
    return _fresh(lookup) or _last_description(credential, lookup, error)


def _validate_locked(credential: Credential, address: str) -> CachedSession:
    """Validate a credential as the only one who does; see `validate`."""
    with best_effort_lock(f"validate:{credential.hash}", lease=VALIDATION_SECONDS, wait=10.0):
        lookup, record = _look_up(credential)
        # Another process may have just validated it.
        return _fresh(lookup) or _ask_upstream(credential, lookup, record, address)


def _look_up(credential: Credential) -> tuple[Lookup, ServiceSession | None]:
    """What the cache and the database know of a credential. Raises: as `_require_not_refused`."""
    lookup = session_cache.look_up(credential.hash)
    record = find_record(credential)
    _require_not_refused(credential, record, lookup.session)
    return lookup, record


def _fresh(lookup: Lookup) -> CachedSession | None:
    cached = lookup.session
    is_current = cached and cached.is_fresh(time.time()) and cached.refusals == lookup.refusals
    return cached if is_current else None


def _ask_upstream(
    credential: Credential, lookup: Lookup, record: ServiceSession | None, address: str
) -> CachedSession:
    try:
        with on_behalf_of(_person(record, lookup.session, address)):
            session = _fetch(credential, record, lookup.session, address)
    except SessionDead:
        session_cache.forget(credential.hash)
        raise NotSignedIn from None
    except ForeignOrganization:
        session_cache.forget(credential.hash)  # the cookies may belong to somebody else now
        raise
    except (UpstreamUnavailable, UpstreamTimeout, UpstreamInvalid, UpstreamNotFound) as error:
        return _last_description(credential, lookup, error)
    session = replace(session, refusals=lookup.refusals)
    keep_session(session, credential.hash)
    if record and (credential.web or credential.token):  # not for a calendar feed
        record_use(record)
    return session


def _last_description(
    credential: Credential, lookup: Lookup, error: UpstreamError
) -> CachedSession:
    """The cached session, to be checked again soon. Raises: the error, when there is none, or it is
    too old to be used while upstream fails."""
    cached = lookup.session
    if cached and cached.within_outage_grace(time.time()):
        cached = replace(cached, refusals=lookup.refusals)
        return session_cache.postpone_check(cached, credential.hash)
    if isinstance(error, UpstreamNotFound):
        raise UpstreamInvalid("upstream has no session endpoint any more") from None
    raise error


def _person(record: ServiceSession | None, cached: CachedSession | None, address: str) -> str:
    """For whom upstream is called: see `upstream.person`."""
    if record is not None:
        return record.account.person_hash
    if cached is not None:
        return hash_of_person(cached.school, cached.upstream.user_id)
    return network_person(address)


def _require_not_refused(
    credential: Credential, record: ServiceSession | None, cached: CachedSession | None
) -> None:
    """Raises AccountSuspended, NotSignedIn if the session was ended or the account was or is being
    erased, and SessionMismatch for the cookies of a record with another school."""
    account = record.account if record else None
    if record is None:
        if was_ended(credential.hash):
            raise NotSignedIn
        if cached is not None:
            account = Account.objects.filter(pk=cached.account_id).first()
            if account is None:
                end_unrecorded(credential.hash)
                raise NotSignedIn
    if account is not None:
        account.require_not_refused()
    if record and credential.via == "cookie" and record.account.school != credential.school:
        raise SessionMismatch


def _fetch(
    credential: Credential,
    record: ServiceSession | None,
    cached: CachedSession | None,
    address: str,
) -> CachedSession:
    release_database_connection()
    if credential.web is not None:
        if record is None:
            return _fetch_unrecorded(credential, credential.web, cached, address)
        return describe_session(record, credential.web, cached)
    if record is None:
        raise SessionDead
    if cached is not None:
        try:
            return describe_session(record, cached.web, cached)
        except SessionDead:
            pass  # the web session has expired; the token may be valid
    return translate_record(with_live_token(record))


def _fetch_unrecorded(
    credential: Credential, web: WebSession, cached: CachedSession | None, address: str
) -> CachedSession:
    """The session of a cookie pair without a record. One that has been used before makes no
    account: its own may have been erased meanwhile.

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
    if was_ended(credential.hash):
        raise NotSignedIn  # while upstream answered
    if cached and not Account.objects.filter(pk=cached.account_id).exists():
        end_unrecorded(credential.hash)
        raise NotSignedIn
    account = find_or_create_account(credential.school, answer)
    account.require_not_refused()
    now = time.time()
    return CachedSession(account.pk, account.username, account.school, None, web, answer, now, now)
