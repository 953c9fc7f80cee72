"""Refreshing a session: a new token, and new web cookies, without a password.

Refreshes of one session run one at a time, across processes. The result is stored, encrypted, for a
minute: callers who came at the same time, or lost the answer, get it without another call to
upstream. A rotated refresh token is saved at once; a process that dies before that leaves a session
that works until its access token expires.
"""

import time
from contextlib import suppress
from dataclasses import astuple, dataclass, field, replace

import orjson
from django.db import transaction
from django.utils import timezone

import store
from accounts import session_cache
from accounts.callers import Caller
from accounts.cookies import Credential, token_hash
from accounts.database import release_database_connection
from accounts.encryption import seal, unseal
from accounts.errors import NothingToRefresh, NotSignedIn
from accounts.limits import PREVIOUS_PAIR_SECONDS, REFRESH
from accounts.models import ServiceSession
from accounts.services.ended_sessions import end_record, end_web_session
from accounts.services.renewal import (
    LOCK_SECONDS,
    give_token,
    refresh_lock,
    rotated,
    with_live_token,
)
from accounts.services.session_records import (
    begin_credentials,
    find_record_by_id,
    find_record_for_refresh,
    lock_record,
    remember_ended,
    set_cookie_pair,
    was_ended,
)
from accounts.services.web_sessions import keep_session, translate_record
from accounts.session_cache import CachedSession
from accounts.single_flight import single_flight
from limits import spend
from store import StoreUnavailable
from upstream.errors import (
    SessionDead,
    UpstreamInvalid,
    UpstreamNotFound,
    WrongKind,
)
from upstream.records import WebSession


@dataclass(frozen=True, slots=True)
class Refreshed:
    """The result of a refresh. `expires_in` is of the token, `lasts` of the login, in seconds.
    `web` is None when only the token was requested."""

    access_token: str = field(repr=False)
    expires_in: int
    school: str
    web: WebSession | None
    lasts: int


def refresh(credential: Credential | None, *, with_web: bool) -> Refreshed:
    """A new access token if upstream issued a refresh token, else the current one; with `with_web`
    also new web cookies. Works after the web session has expired.

    Raises: NotSignedIn (no credential, an unknown token, or the login was ended), NothingToRefresh,
    AccountSuspended, TooManyRequests, upstream's errors.
    """
    if credential is None:
        raise NotSignedIn
    record = find_record_for_refresh(credential)
    if record is None and credential.via == "cookie" and not was_ended(credential.hash):
        raise NothingToRefresh  # the school's own cookies: they may be valid, and have no token
    if record is None or credential.school not in ("", record.account.school):
        raise NotSignedIn
    record.account.require_not_refused()
    spend(REFRESH, record.account.person_hash)
    requested_at = time.time()

    def run() -> Refreshed:
        with refresh_lock(record.pk):
            return _refresh_locked(record.pk, credential, with_web, requested_at)

    release_database_connection()
    return single_flight(f"refresh:{record.pk}:{with_web}", run, wait=2 * LOCK_SECONDS)


def token_of(caller: Caller) -> Refreshed:
    """The access token of a caller's session, renewed if it is about to end.

    Raises: NothingToRefresh (the school's own cookies have no token), NotSignedIn (it is not valid
    any more), and upstream's errors.
    """
    if caller.session_id is None:
        raise NothingToRefresh
    record = find_record_by_id(caller.session_id)
    if record is None:
        raise NotSignedIn
    try:
        record = with_live_token(record)
    except SessionDead:
        raise NotSignedIn from None
    if record.token_hash != token_hash(record.access_token):
        record = give_token(record.pk)
    now = timezone.now()
    seconds_left, lasts = record.seconds_left(now), record.login_seconds_left(now)
    return Refreshed(record.access_token, seconds_left, record.account.school, None, lasts)


def _refresh_locked(
    record_id: str, credential: Credential, with_web: bool, requested_at: float
) -> Refreshed:
    refusals = session_cache.current_refusals()
    record = find_record_by_id(record_id)
    if record is None:
        raise NotSignedIn  # logged out meanwhile
    record.account.require_not_refused()
    shared = _shared_result(record)
    if shared is not None:
        # Another refresh answers this request too, if it is newer than the request, or replaced
        # the credential that the caller shows.
        stored_at, result = shared
        current = record.token_hash if credential.via == "bearer" else record.pair_hash
        newer = stored_at >= requested_at or credential.hash != current
        if newer and (result.web or not with_web):
            return result
    try:
        record = rotated(record, given=True)
    except SessionDead:
        raise NothingToRefresh from None
    if record.token_hash != token_hash(record.access_token):
        record = give_token(record.pk)  # another renewal's, which the client gets now
    seconds_left = record.seconds_left(timezone.now())
    if not seconds_left:
        end_record(record.pk, reason="expired")
        raise NothingToRefresh
    web = None
    if with_web:
        session = _new_session(record)
        web = session.web
        record = keep_web_session(record, web)
        keep_session(
            replace(session, refusals=refusals),
            record.token_hash if credential.via == "bearer" else record.pair_hash,
        )
    lasts = record.login_seconds_left(timezone.now())
    result = Refreshed(record.access_token, seconds_left, record.account.school, web, lasts)
    _share_result(record, result)
    return result


def _new_session(record: ServiceSession) -> CachedSession:
    """A new web session of the record, which upstream says is the person's."""
    try:
        return translate_record(record)
    except WrongKind:
        # The token has just been issued, so this says nothing about the login.
        raise UpstreamInvalid("the bridge refused a token that is alive") from None
    except SessionDead:
        end_record(record.pk, reason="expired")
        raise NothingToRefresh from None
    except UpstreamNotFound:
        raise UpstreamInvalid("upstream has no endpoint for web sessions any more") from None


def keep_web_session(record: ServiceSession, web: WebSession) -> ServiceSession:
    """From now on these are the cookies of the login. Returns its record.

    Raises: NotSignedIn when the login was ended meanwhile; the web session is ended, too.
    """
    try:
        with transaction.atomic():
            record = lock_record(record.pk)
            before = {record.pair_hash, record.previous_pair_hash, None}
            set_cookie_pair(record, web)
            record.last_used_at = timezone.now()
            record.save(
                update_fields=[
                    "pair_hash",
                    "previous_pair_hash",
                    "previous_pair_until",
                    "last_used_at",
                ]
            )
            # From now on only the record accepts the previous pair, for its minute.
            remember_ended(*filter(None, before - {record.pair_hash}))
            begin_credentials(record.pair_hash)
    except NotSignedIn:
        end_web_session(record.account.school, web)
        raise
    # No record has it any more, so a logout could not end it.
    session_cache.end(*filter(None, before - {record.pair_hash, record.previous_pair_hash}))
    # The next request with the previous pair or with the token asks upstream again.
    session_cache.check_again(record.previous_pair_hash or "", record.token_hash)
    return record


def _share_result(record: ServiceSession, result: Refreshed) -> None:
    web = astuple(result.web) if result.web else None
    shared = [time.time(), result.access_token, result.expires_in, web, result.lasts]
    with suppress(StoreUnavailable):
        store.put(
            f"refreshed:2:{record.pk}",
            seal("refreshed", record.pk, orjson.dumps(shared)),
            PREVIOUS_PAIR_SECONDS,
        )


def _shared_result(record: ServiceSession) -> tuple[float, Refreshed] | None:
    """When another refresh of the session stored its result, and the result."""
    try:
        opened = unseal("refreshed", record.pk, store.get(f"refreshed:2:{record.pk}"))
    except StoreUnavailable:
        return None
    if opened is None:
        return None
    stored_at, access_token, expires_in, web, lasts = orjson.loads(opened)
    web = WebSession(*web) if web else None
    return stored_at, Refreshed(access_token, expires_in, record.account.school, web, lasts)
