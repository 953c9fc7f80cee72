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
from accounts.cookies import Credential
from accounts.database import release_database_connection
from accounts.encryption import seal, unseal
from accounts.errors import NothingToRefresh, NotSignedIn
from accounts.limits import PREVIOUS_PAIR_SECONDS, REFRESH
from accounts.models import ServiceSession
from accounts.services.ended_sessions import end_record, end_web_session
from accounts.services.session_records import (
    begin_credentials,
    find_record_by_id,
    find_record_for_refresh,
    lock_record,
    remember_ended,
    set_cookie_pair,
    set_grant,
)
from accounts.services.validation import keep_session, translate_record
from accounts.session_cache import CachedSession
from accounts.single_flight import best_effort_lock, single_flight
from limits import spend
from store import StoreUnavailable
from upstream.calls.login import refresh_token
from upstream.errors import (
    GrantRefused,
    SessionDead,
    UpstreamInvalid,
    UpstreamNotFound,
)
from upstream.records import WebSession
from upstream.shared_client import client

# Two calls to upstream with a deadline of 8 s each, and saving.
LOCK_SECONDS = 20.0


@dataclass(frozen=True, slots=True)
class Refreshed:
    """The result of a refresh; `expires_in` in seconds. `web` is None when only the token was
    requested."""

    access_token: str = field(repr=False)
    expires_in: int
    school: str
    web: WebSession | None


def refresh(credential: Credential | None, *, with_web: bool) -> Refreshed:
    """A new access token if upstream issued a refresh token, else the current one; with `with_web`
    also new web cookies. Works after the web session has expired.

    Raises: NotSignedIn (no record has this credential), NothingToRefresh, AccountSuspended,
    TooManyRequests, upstream's errors.
    """
    if credential is None:
        raise NotSignedIn
    record = find_record_for_refresh(credential)
    if record is None or credential.school not in ("", record.account.school):
        raise NotSignedIn
    record.account.require_not_refused()
    spend(REFRESH, record.account.person_hash)
    requested_at = time.time()

    def run() -> Refreshed:
        with best_effort_lock(f"refresh:{record.pk}", lease=LOCK_SECONDS, wait=LOCK_SECONDS):
            return _refresh_locked(record.pk, credential, with_web, requested_at)

    release_database_connection()
    return single_flight(f"refresh:{record.pk}:{with_web}", run, wait=2 * LOCK_SECONDS)


def token_of(caller: Caller) -> Refreshed:
    """The access token of a caller's session. Raises `NotSignedIn` if it has none that is valid."""
    record = find_record_by_id(caller.session_id)
    seconds_left = record.seconds_left(timezone.now()) if record else 0
    if record is None or not seconds_left:
        raise NotSignedIn
    return Refreshed(record.access_token, seconds_left, record.account.school, None)


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
    record = _rotated(record)
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
    result = Refreshed(record.access_token, seconds_left, record.account.school, web)
    _share_result(record, result)
    return result


def _rotated(record: ServiceSession) -> ServiceSession:
    """The record after its refresh token was used, if there is one: the new tokens are saved at
    once. Raises `NotSignedIn` when the session was ended meanwhile."""
    current = record.refresh_token
    if current is None:
        return record
    release_database_connection()
    try:
        grant = refresh_token(client(), school=record.account.school, refresh_token=current)
    except GrantRefused:
        # The refresh token has expired, or it was used by a process that died before saving, or by
        # one that saved: without the store two can run at once. The filter on the token's hash
        # keeps what the other one saved.
        ServiceSession.objects.filter(pk=record.pk, token_hash=record.token_hash).update(
            refresh_token=None
        )
        unchanged = find_record_by_id(record.pk)
        if unchanged is None:
            raise NotSignedIn from None
        return unchanged
    with transaction.atomic():
        record = lock_record(record.pk)
        replaced = record.token_hash
        set_grant(record, grant)
        # Before saving, so that a request with the previous token always finds its record.
        with suppress(StoreUnavailable):
            store.put(f"replaced-token:{replaced}", record.pk.encode(), PREVIOUS_PAIR_SECONDS)
        record.save(
            update_fields=["access_token", "refresh_token", "token_expires_at", "token_hash"]
        )
        begin_credentials(record.token_hash)
    if replaced != record.token_hash:
        # No record has the replaced token any more, so a logout could not end it. What is cached
        # for the cookies says when the replaced token ends.
        session_cache.replace_credential(replaced, record.token_hash)
        session_cache.check_again(record.pair_hash)
    return record


def _new_session(record: ServiceSession) -> CachedSession:
    """A new web session of the record, which upstream says is the person's."""
    try:
        return translate_record(record)
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
    shared = [time.time(), result.access_token, result.expires_in, web]
    with suppress(StoreUnavailable):
        store.put(
            f"refreshed:{record.pk}",
            seal("refreshed", record.pk, orjson.dumps(shared)),
            PREVIOUS_PAIR_SECONDS,
        )


def _shared_result(record: ServiceSession) -> tuple[float, Refreshed] | None:
    """When another refresh of the session stored its result, and the result."""
    try:
        opened = unseal("refreshed", record.pk, store.get(f"refreshed:{record.pk}"))
    except StoreUnavailable:
        return None
    if opened is None:
        return None
    stored_at, access_token, expires_in, web = orjson.loads(opened)
    web = WebSession(*web) if web else None
    return stored_at, Refreshed(access_token, expires_in, record.account.school, web)
