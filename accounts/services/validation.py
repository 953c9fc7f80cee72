"""Asking upstream whose a credential is, when the cached session is missing or too old.

Validations of one credential run one at a time: by `single_flight` within this process, by
`best_effort_lock` across processes.
"""

import time
from contextlib import ExitStack
from dataclasses import replace

from django.utils import timezone

from accounts import session_cache
from accounts.addresses import network_of
from accounts.callers import network_person
from accounts.cookies import Credential
from accounts.database import release_database_connection
from accounts.errors import NotSignedIn, SchoolUnknown, SessionMismatch
from accounts.limits import UNKNOWN_COOKIES
from accounts.models import Account, ServiceSession
from accounts.person_hash import hash_of_person
from accounts.services.accounts import find_or_create_account, keep_organization, keep_role
from accounts.services.ended_sessions import end_web_session
from accounts.services.renewal import with_live_token
from accounts.services.schools import known_school, organizations_of
from accounts.services.session_answers import fetch_session_answer
from accounts.services.session_records import (
    dialect_of,
    end_unrecorded,
    find_record,
    record_use,
    require_record,
    was_ended,
)
from accounts.session_cache import CachedSession
from accounts.single_flight import best_effort_lock, single_flight
from limits import refund, spend
from upstream.calls.web_sessions import translate_token
from upstream.errors import (
    ForeignOrganization,
    SessionDead,
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
    """The session of a credential as upstream describes it, or the last cached description while
    upstream fails.

    Requests that wait for another one's validation take one of the school's threads, too.
    """
    person = None
    if credential.school:
        person = _person(find_record(credential), None, address)
    release_database_connection()
    with ExitStack() as scopes:
        if person is not None:
            try:
                scopes.enter_context(client().request_scope(credential.school, person=person))
            except UpstreamUnavailable as refusal:
                # It calls nobody, so it takes no turn.
                return _validate_once(credential, address, refusal)
        return _validate_in_turn(credential, address)


def _validate_in_turn(credential: Credential, address: str) -> CachedSession:
    def work() -> CachedSession:
        with best_effort_lock(f"validate:{credential.hash}", lease=VALIDATION_SECONDS, wait=10.0):
            return _validate_once(credential, address)

    return single_flight(f"validate:{credential.hash}", work, wait=VALIDATION_SECONDS)


def _validate_once(
    credential: Credential, address: str, refusal: UpstreamUnavailable | None = None
) -> CachedSession:
    """With `refusal` upstream cannot be asked, and counts as failing."""
    lookup = session_cache.look_up(credential.hash)
    cached = lookup.session
    record = find_record(credential)
    _refuse_without_asking(credential, record, cached)
    if cached and cached.is_fresh(time.time()) and cached.refusals == lookup.refusals:
        return cached  # another process has just validated it
    try:
        with on_behalf_of(_person(record, cached, address)):
            session = _fetch(credential, record, cached, address, refusal)
    except SessionDead:
        session_cache.forget(credential.hash)
        raise NotSignedIn from None
    except ForeignOrganization:
        session_cache.forget(credential.hash)  # the cookies may belong to somebody else now
        raise
    except (UpstreamUnavailable, UpstreamTimeout, UpstreamInvalid, UpstreamNotFound) as error:
        if cached and cached.within_outage_grace(time.time()):
            return session_cache.postpone_check(
                replace(cached, refusals=lookup.refusals), credential.hash
            )
        if isinstance(error, UpstreamNotFound):
            raise UpstreamInvalid("upstream has no session endpoint any more") from None
        raise
    session = replace(session, refusals=lookup.refusals)
    keep_session(session, credential.hash)
    if record and (credential.web or credential.token):  # not for a calendar feed
        record_use(record)
    return session


def _person(record: ServiceSession | None, cached: CachedSession | None, address: str) -> str:
    """For whom upstream is called: see `upstream.person`."""
    if record is not None:
        return record.account.person_hash
    if cached is not None:
        return hash_of_person(cached.school, cached.upstream.user_id)
    return network_person(address)


def _refuse_without_asking(
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
    refusal: UpstreamUnavailable | None,
) -> CachedSession:
    if refusal is not None:
        raise refusal
    release_database_connection()
    if credential.web is not None:
        if record is None:
            return _fetch_unrecorded(credential, credential.web, cached, address)
        return _session(record, credential.web, cached)
    if record is None:
        raise SessionDead
    if cached is not None:
        try:
            return _session(record, cached.web, cached)
        except SessionDead:
            pass  # the web session has expired; the token may be valid
    return translate_record(with_live_token(record))


def keep_session(session: CachedSession, *credential_hashes: str) -> None:
    """Cache a session that upstream has just described.

    Raises: NotSignedIn when its login was ended meanwhile. `end_record` ends the web sessions that
    are cached: this one was not yet, perhaps, so it is ended here.
    """
    session_cache.remember(session, *credential_hashes)
    if session.session_id is None:
        return
    try:
        require_record(session.session_id)
    except NotSignedIn:
        session_cache.forget(*credential_hashes)
        end_web_session(session.school, session.web)
        raise


def translate_record(record: ServiceSession) -> CachedSession:
    """A new web session from a record's token, checked to be of the same person.

    Raises: SessionDead when the token has expired, SessionMismatch, upstream's errors.
    """
    if not record.seconds_left(timezone.now()):
        raise SessionDead
    release_database_connection()
    web = translate_token(
        client(),
        school=record.account.school,
        access_token=record.access_token,
        user_id=record.account.upstream_user_id,
        org_ids=organizations_of(record.account.school, last=record.account.organization_id),
        dialect=dialect_of(record),
    )
    try:
        return _session(record, web, None)
    except SessionDead:
        raise UpstreamInvalid("upstream refused the web session that it had just made") from None


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


def _session(
    record: ServiceSession, web: WebSession, cached: CachedSession | None
) -> CachedSession:
    """The session of a record with these web cookies, if upstream says that it is the person's."""
    account, dialect = record.account, dialect_of(record)
    answer = fetch_session_answer(
        school=account.school, web=web, accepted=account.organization_id, dialect=dialect
    )
    if answer.user_id != account.upstream_user_id:
        raise SessionMismatch
    keep_organization(account, answer)
    keep_role(account, answer)
    session = CachedSession.of_record(record, web, answer)
    if cached and cached.web == web:
        session = replace(session, web_since=cached.web_since)
    return session
