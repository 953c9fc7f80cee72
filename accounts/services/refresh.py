"""Refreshing a session: a new token, and new web cookies, without a password.

Refreshes of one session run one at a time, across processes. The result is stored, encrypted, for a
minute: callers who came at the same time, or lost the answer, get it without another call to
upstream. A rotated refresh token is saved at once; a process that dies before that leaves a session
that works until its access token expires.
"""

import time
from contextlib import suppress
from dataclasses import astuple, dataclass, field

import orjson
from django.utils import timezone

from accounts import child_sessions, session_cache
from accounts.callers import Caller
from accounts.cookies import Credential
from accounts.database import release_database_connection
from accounts.encryption import seal, unseal
from accounts.errors import NothingToRefresh, NotSignedIn, StoreUnavailable
from accounts.limits import PREVIOUS_PAIR_SECONDS, REFRESH
from accounts.models import ServiceSession
from accounts.rate_limits import spend
from accounts.services.session_records import (
    end_record,
    find_record_by_id,
    find_record_for_refresh,
    set_cookie_pair,
    set_grant,
)
from accounts.services.suspension import require_not_refused
from accounts.single_flight import best_effort_lock, single_flight
from accounts.stores import store
from upstream.calls.login import refresh_token, translate_token
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
    require_not_refused(record.account)
    spend(REFRESH, str(record.account_id))
    requested_at = time.time()

    def run() -> Refreshed:
        with best_effort_lock(f"refresh:{record.pk}", lease=LOCK_SECONDS, wait=LOCK_SECONDS):
            return _refresh_locked(record.pk, credential, with_web, requested_at)

    release_database_connection()
    return single_flight(f"refresh:{record.pk}:{with_web}", run, wait=2 * LOCK_SECONDS)


def token_of(caller: Caller) -> Refreshed:
    """The access token of a caller's session. Raises `NotSignedIn` if it has none that is valid."""
    record = find_record_by_id(caller.session_id)
    left = record.seconds_left(timezone.now()) if record else 0
    if record is None or not left:
        raise NotSignedIn
    return Refreshed(record.secret("access_token") or "", left, record.account.school, None)


def _refresh_locked(
    record_id: str, credential: Credential, with_web: bool, requested_at: float
) -> Refreshed:
    record = find_record_by_id(record_id)
    if record is None:
        raise NotSignedIn  # logged out meanwhile
    shared = _shared_result(record)
    if shared is not None:
        # Another refresh answers this request too, if it is newer than the request, or replaced
        # the credential that the caller shows.
        stored_at, result = shared
        current = record.token_hash if credential.via == "bearer" else record.pair_hash
        newer = stored_at >= requested_at or credential.hash != current
        if newer and (result.web or not with_web):
            return result
    _rotate(record)
    left = record.seconds_left(timezone.now())
    if not left:
        end_record(record, reason="expired")
        raise NothingToRefresh
    access_token = record.secret("access_token") or ""
    web = _new_web_session(record, access_token) if with_web else None
    result = Refreshed(access_token, left, record.account.school, web)
    _share_result(record, result)
    return result


def _rotate(record: ServiceSession) -> None:
    """Use the refresh token, if there is one, and save the new tokens at once."""
    current = record.secret("refresh_token")
    if current is None:
        return
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
        record.refresh_from_db()
        return
    replaced = record.token_hash
    set_grant(record, grant)
    # Before saving, so that a request with the previous token always finds its record.
    with suppress(StoreUnavailable):
        store().set(f"replaced-token:{replaced}", record.pk.encode(), PREVIOUS_PAIR_SECONDS)
    _save(record, "access_token", "refresh_token", "token_expires_at", "token_hash")
    session_cache.clear_ended(record.token_hash)
    if replaced != record.token_hash:
        # No record has the replaced token any more, so a logout could not end it. What is cached
        # for the cookies says when the replaced token ends.
        session_cache.forget(replaced, record.pair_hash)


def _save(record: ServiceSession, *names: str) -> None:
    """Save these fields. Raises `NotSignedIn` when the session was ended meanwhile."""
    values = {name: getattr(record, name) for name in names}
    if not ServiceSession.objects.filter(pk=record.pk).update(**values):
        raise NotSignedIn


def _new_web_session(record: ServiceSession, access_token: str) -> WebSession:
    release_database_connection()
    try:
        web = translate_token(
            client(),
            school=record.account.school,
            access_token=access_token,
            user_id=record.account.upstream_user_id,
        )
    except SessionDead:
        end_record(record, reason="expired")
        raise NothingToRefresh from None
    except UpstreamNotFound:
        raise UpstreamInvalid("upstream has no endpoint for web sessions any more") from None
    keep_web_session(record, web)
    # The next request with the previous pair or with the token asks upstream again.
    session_cache.forget(record.previous_pair_hash or "", record.token_hash)
    child_sessions.renewed(record.pk, web)
    return web


def adopt_web_session(record: ServiceSession, web: WebSession) -> None:
    """As `keep_web_session`, for a web session that was made in another request: who refreshes with
    older cookies, because that answer was lost, gets these. Raises `NotSignedIn`."""
    keep_web_session(record, web)
    left = record.seconds_left(timezone.now())
    access_token = record.secret("access_token") or ""
    _share_result(record, Refreshed(access_token, left, record.account.school, web))


def keep_web_session(record: ServiceSession, web: WebSession) -> None:
    """From now on these are the cookies of the login. Raises `NotSignedIn` when it was ended."""
    older_pair_hash = record.previous_pair_hash
    set_cookie_pair(record, web)
    record.last_used_at = timezone.now()
    _save(record, "pair_hash", "previous_pair_hash", "previous_pair_until", "last_used_at")
    if older_pair_hash and older_pair_hash != record.previous_pair_hash:
        # No record has it any more, so a logout could not end it.
        session_cache.end(older_pair_hash)
    session_cache.clear_ended(record.pair_hash)


def _share_result(record: ServiceSession, result: Refreshed) -> None:
    web = astuple(result.web) if result.web else None
    shared = [time.time(), result.access_token, result.expires_in, web]
    with suppress(StoreUnavailable):
        store().set(
            f"refreshed:{record.pk}",
            seal("refreshed", record.pk, orjson.dumps(shared)),
            PREVIOUS_PAIR_SECONDS,
        )


def _shared_result(record: ServiceSession) -> tuple[float, Refreshed] | None:
    """When another refresh of the session stored its result, and the result."""
    try:
        opened = unseal("refreshed", record.pk, store().get(f"refreshed:{record.pk}"))
    except StoreUnavailable:
        return None
    if opened is None:
        return None
    stored_at, access_token, expires_in, web = orjson.loads(opened)
    web = WebSession(*web) if web else None
    return stored_at, Refreshed(access_token, expires_in, record.account.school, web)
