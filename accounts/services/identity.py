"""Who is calling: decided from upstream's session answer, never from what the caller says.

A credential is looked up in the store (one round trip), and where nothing fresh is there, in the
records, and upstream is asked (`validation.py`).
"""

import time
from collections.abc import Callable
from typing import TypeVar

from accounts import session_cache
from accounts.callers import Caller, CredentialHint
from accounts.cookies import Credential, encoded_username
from accounts.errors import NotSignedIn, SessionContradicted, StoreUnavailable
from accounts.limits import limit, window_counter
from accounts.services.session_records import find_record_by_id
from accounts.services.validation import VALIDATION_SECONDS, translated, validate
from accounts.session_cache import CachedSession, credential_hints
from accounts.single_flight import single_flight
from accounts.stores import RequestLookup, store
from upstream.errors import SessionDead, UpstreamTimeout
from upstream.records import WebSession
from upstream.shared_client import client

T = TypeVar("T")
CopyKey = Callable[[CredentialHint], tuple[str, str] | None]


def identify(
    credential: Credential,
    *,
    address: str,
    kind: str | None = None,
    copy_key: CopyKey | None = None,
) -> tuple[Caller, RequestLookup]:
    """The caller behind a credential, and what else the same round trip told.

    `address` is the client's, for the limit on strangers. `kind` names the limit to count
    against (`reads`, `writes`); `copy_key` says which kept copy the view could answer with.

    Raises: NotSignedIn, AccountSuspended, TooManyRequests, and upstream's errors when nobody
    knows and upstream cannot be asked.
    """
    now = time.time()
    try:
        entry, lookup, barred = _look_up(credential, kind, copy_key)
        if barred or entry is None or not entry.is_fresh(now):
            entry = validate(credential, address)
    except NotSignedIn:
        credential_hints.drop(
            credential.hash
        )  # it must not count against its former owner's limits
        raise
    _contradict(entry, credential)
    caller = entry.caller(credential)
    credential_hints.put(credential.hash, caller.hint)
    return caller, lookup


def _look_up(
    credential: Credential, kind: str | None, copy_key: CopyKey | None
) -> tuple[CachedSession | None, RequestLookup, bool]:
    """Ask the store once; what it does not know, or when it is away, is asked elsewhere."""
    hint = credential_hints.get(credential.hash)
    keys = session_cache.keys_of(credential.hash)
    if hint:
        keys.append(session_cache.barred_key(hint.account_id))
    try:
        lookup = store().look_up(
            keys,
            copy=copy_key(hint) if hint and copy_key else None,
            counter=window_counter(kind, hint.account_id) if hint and kind else None,
            window=limit(kind).seconds if kind else 1,
        )
        sealed, ended, *bars = lookup.values
        if ended:
            raise NotSignedIn
        entry = session_cache.decode(sealed, credential.hash)
        if entry and not hint:
            bars = [store().get(session_cache.barred_key(entry.account_id))]
    except StoreUnavailable:
        return None, RequestLookup([], None, 0), False
    if entry and hint and entry.account_id != hint.account_id:
        lookup = RequestLookup(lookup.values, None, 0)
    return entry, lookup, any(bars)


def _contradict(entry: CachedSession, credential: Credential) -> None:
    """What the editable cookies say must be what upstream said."""
    if credential.via == "bearer":
        return
    usertype = credential.web.usertype if credential.web else None
    type_id = entry.upstream.user_type_id
    if (
        credential.school != entry.school
        or credential.username not in (None, encoded_username(entry.upstream.user_name))
        or (usertype is not None and type_id is not None and usertype != str(type_id))
    ):
        raise SessionContradicted


def ask_upstream(caller: Caller, call: Callable[[WebSession], T]) -> T:
    """`call` with the caller's web session; however many calls it makes, they count as one
    request of the school and have one deadline between them.

    When upstream says that it is over, a Bearer caller's token is translated once more and the
    call repeated; a cookie caller is signed out (a refresh can revive the session).

    Raises: NotSignedIn, and what `call` raises.
    """
    with client().request_scope(caller.school):
        try:
            return call(caller.web)
        except SessionDead:
            if caller.via == "cookie" or caller.session_id is None:
                session_cache.forget(caller.credential_hash)
                raise NotSignedIn from None
        try:
            return call(_other_web(caller))
        except SessionDead:
            session_cache.forget(caller.credential_hash)
            raise NotSignedIn from None


def _other_web(caller: Caller) -> WebSession:
    """Web cookies in place of those that died: what another request has just got, or the token
    translated again, by one request at a time."""

    def work() -> WebSession:
        known = session_cache.read(caller.credential_hash)
        if known and known.web != caller.web:
            return known.web
        record = find_record_by_id(caller.session_id)
        if record is None:
            raise NotSignedIn  # logged out meanwhile
        entry = translated(record)
        session_cache.remember(entry, caller.credential_hash)
        return entry.web

    try:
        return single_flight(f"translate:{caller.session_id}", work, wait=VALIDATION_SECONDS)
    except TimeoutError:
        raise UpstreamTimeout from None
