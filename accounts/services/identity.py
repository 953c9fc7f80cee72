"""Who is calling: the one module that turns a credential into a `Caller`.

`identify` looks the cached session up in the store. Without a fresh one, `validation.validate` asks
upstream whose session it is. What a client says of itself in its cookies is only compared.
"""

import time
from collections.abc import Callable
from typing import NamedTuple, TypeVar

from accounts import session_cache
from accounts.callers import Caller, CredentialHint
from accounts.cookies import Credential, encoded_username
from accounts.database import release_database_connection
from accounts.errors import NotSignedIn, SessionMismatch, StoreUnavailable
from accounts.models import Account
from accounts.rate_limits import RateLimit, window_counter
from accounts.services.session_records import find_record_by_id, records_with_live_token
from accounts.services.validation import VALIDATION_SECONDS, translate_record, validate
from accounts.session_cache import CachedSession, credential_hints
from accounts.single_flight import single_flight
from accounts.stores import RequestLookup, store
from upstream.errors import SessionDead
from upstream.records import WebSession
from upstream.shared_client import client

T = TypeVar("T")
CacheKey = Callable[[CredentialHint], tuple[str, str]]
# Upstream may have revoked a token, which costs a call to find out.
LOGINS_TRIED = 5


def identify(
    credential: Credential,
    *,
    address: str,
    limit: RateLimit | None = None,
    cache_key: CacheKey | None = None,
) -> tuple[Caller, RequestLookup]:
    """The caller behind a credential, and the look-up of their session in the store.

    The same round trip may also count the request against `limit`, and bring the cached answer
    whose owner and name `cache_key` gives. `address` is the client's, for the limit on unknown
    cookies.

    Raises: NotSignedIn, AccountSuspended, TooManyRequests, SessionMismatch, and upstream's
    errors when there is no fresh session and upstream fails.
    """
    try:
        found = _look_up(credential, limit and limit.effective(), cache_key)
        session = found.session
        if found.suspended or session is None or not session.is_fresh(time.time()):
            session = validate(credential, address)
    except NotSignedIn:
        # Its next requests must not count against the limits of the account.
        credential_hints.pop(credential.hash, None)
        raise
    _refuse_contradicting_cookies(session, credential)
    caller = session.caller(credential, watches=found.watches)
    session_cache.remember_hint(credential.hash, caller.hint)
    return caller, found.lookup


class _Found(NamedTuple):
    """The cached session, everything that was looked up with it, and the marks of its account."""

    session: CachedSession | None
    lookup: RequestLookup
    suspended: bool
    watches: bool


def _look_up(credential: Credential, limit: RateLimit | None, cache_key: CacheKey | None) -> _Found:
    """Without the store: no session, and nothing looked up."""
    hint = credential_hints.get(credential.hash)
    keys = session_cache.keys_of(credential.hash)
    if hint:
        keys += session_cache.marks_of(hint.account_id)
        if cache_key and hint.role == "guardian":
            keys.append(session_cache.children_key(hint.account_id))
    try:
        lookup = store().look_up(
            keys,
            cached=cache_key(hint) if hint and cache_key else None,
            counter=window_counter(limit, hint.account_id) if hint and limit else None,
            window=limit.seconds if limit else 1,
        )
        encrypted, ended, suspended, watches, *_ = (*lookup.values, None, None)
        if ended:
            raise NotSignedIn
        session = session_cache.decode(encrypted, credential.hash)
        if session and not hint:
            suspended, watches = store().get_many(session_cache.marks_of(session.account_id))
    except StoreUnavailable:
        return _Found(None, RequestLookup([], None, 0), suspended=False, watches=False)
    if session and hint and session.account_id != hint.account_id:
        # The hint was wrong: the count and the cached answer are another account's.
        lookup = RequestLookup(lookup.values, None, 0)
    return _Found(session, lookup, bool(suspended), bool(watches))


def with_account_session(account_id: int, call: Callable[[Caller], T]) -> T:
    """The result of `call` with the account as the caller, without a request of its owner: by its
    newest login whose token upstream accepts, with the same checks as a native app's request. Does
    not change when that login was last used.

    Raises: NotSignedIn (no such login), AccountSuspended, upstream's errors, what `call` raises.
    """
    for record in records_with_live_token(account_id)[:LOGINS_TRIED]:
        try:
            caller, _ = identify(Credential("bearer", record.token_hash), address="")
            return call(caller)
        except NotSignedIn:
            continue
    raise NotSignedIn


def looked_up_children(lookup: RequestLookup) -> bytes | None:
    """The stored list of children that came with the look-up of a guardian's session."""
    return lookup.values[4] if len(lookup.values) > 4 else None


def was_erased(caller: Caller) -> bool:
    """Whether the caller's account was erased since their session was looked up. Their session is
    then forgotten."""
    if Account.objects.filter(pk=caller.account_id).exists():
        return False
    session_cache.end(caller.credential_hash)
    return True


def _refuse_contradicting_cookies(session: CachedSession, credential: Credential) -> None:
    """Raises `SessionMismatch` where a cookie that anyone can edit differs from what upstream
    said."""
    if credential.via == "bearer":
        return
    usertype = credential.web.usertype if credential.web else None
    type_id = session.upstream.user_type_id
    if (
        credential.school != session.school
        or credential.username not in (None, encoded_username(session.upstream.user_name))
        or (usertype is not None and type_id is not None and usertype != str(type_id))
    ):
        raise SessionMismatch


def ask_upstream(caller: Caller, call: Callable[[WebSession], T]) -> T:
    """`call_with_session` as one request of the school: all that it calls counts once against the
    school's limits and has one deadline.

    Raises: NotSignedIn, and what `call` raises.
    """
    release_database_connection()
    with client().request_scope(caller.school):
        return call_with_session(caller, call)


def call_with_session(caller: Caller, call: Callable[[WebSession], T]) -> T:
    """The result of `call` with the caller's web session. Call it inside a request scope.

    When upstream says that the web session is over, a Bearer caller's token is translated into a
    new one and the call repeated; a cookie caller is signed out (a refresh can revive the session).

    Raises: NotSignedIn, and what `call` raises.
    """
    try:
        try:
            return call(caller.web)
        except SessionDead:
            if caller.via == "cookie":
                raise
            return call(_new_web_session(caller))
    except SessionDead:
        session_cache.forget(caller.credential_hash)
        raise NotSignedIn from None


def _new_web_session(caller: Caller) -> WebSession:
    """The web session that another request has just got, or a new one from the token. One request
    at a time translates the token."""

    def work() -> WebSession:
        cached = session_cache.read(caller.credential_hash)
        if cached and cached.web != caller.web:
            return cached.web
        record = find_record_by_id(caller.session_id)
        if record is None:
            raise NotSignedIn  # logged out since
        session = translate_record(record)
        session_cache.remember(session, caller.credential_hash)
        return session.web

    return single_flight(f"translate:{caller.session_id}", work, wait=VALIDATION_SECONDS)
