"""Whose request this is: the one module that turns a credential into a `Caller`.

`identify` takes the session from the cache. Without a fresh one, `validation.validate` asks
upstream whose it is. What a client says of itself in its cookies is only compared. Who a person is,
with their account and profile, is in `services.accounts`.
"""

import time
from collections.abc import Callable
from dataclasses import replace
from typing import TypeVar

from accounts import session_cache
from accounts.callers import Caller
from accounts.cookies import Credential, encoded_username
from accounts.database import release_database_connection
from accounts.errors import NotSignedIn, SessionMismatch
from accounts.models import Account
from accounts.services.accounts import had_role
from accounts.services.renewal import with_live_token
from accounts.services.session_records import (
    end_unrecorded,
    find_record_by_id,
    records_with_live_token,
)
from accounts.services.validation import VALIDATION_SECONDS, validate
from accounts.services.web_sessions import keep_session, translate_record
from accounts.session_cache import CachedSession
from accounts.single_flight import single_flight
from upstream.errors import SessionDead
from upstream.records import WebSession
from upstream.shared_client import client

T = TypeVar("T")
# Upstream may have revoked a token, which costs a call to find out.
LOGINS_TRIED = 5


def identify(credential: Credential, *, address: str) -> Caller:
    """The caller behind a credential. `address` is the client's, for the limit on unknown cookies.

    Raises: NotSignedIn, AccountSuspended, TooManyRequests, SessionMismatch, and upstream's
    errors when there is no fresh session and upstream fails.
    """
    lookup = session_cache.look_up(credential.hash)
    session = lookup.session
    if lookup.ended:
        raise NotSignedIn
    if session is None or not session.is_fresh(time.time()):
        session = validate(credential, address)
    elif session.refusals != lookup.refusals:
        session = _looked_up_again(session, credential, lookup.refusals)
    _refuse_contradicting_cookies(session, credential)
    caller = session.caller(credential)
    if _has_former_usertype(session, credential):
        _rewrite_usertype(caller)
    return caller


def _looked_up_again(
    session: CachedSession, credential: Credential, refusals: str
) -> CachedSession:
    """The session, cached under the current word of `refusals`: the database says that its account
    is neither suspended nor erased."""
    account = Account.objects.filter(pk=session.account_id).first()
    if account is None:
        end_unrecorded(credential.hash)
        raise NotSignedIn
    account.require_not_refused()
    session = replace(session, refusals=refusals)
    session_cache.remember(session, credential.hash)
    return session


def with_account_session(account_id: int, call: Callable[[Caller], T]) -> T:
    """The result of `call` with the account as the caller, without a request of its owner: by its
    newest login whose token upstream accepts, with the same checks as a native app's request. Does
    not change when that login was last used.

    Raises: NotSignedIn (no such login), AccountSuspended, upstream's errors, what `call` raises.
    """
    for record in records_with_live_token(account_id)[:LOGINS_TRIED]:
        try:
            return call(identify(Credential("bearer", record.token_hash), address=""))
        except NotSignedIn:
            continue
    raise NotSignedIn


def was_erased(caller: Caller) -> bool:
    """Whether the caller's account was erased since their session was looked up. Their session is
    then ended."""
    if Account.objects.filter(pk=caller.account_id).exists():
        return False
    end_unrecorded(caller.credential_hash)
    return True


def _refuse_contradicting_cookies(session: CachedSession, credential: Credential) -> None:
    """Raises `SessionMismatch` where a cookie that anyone can edit differs from what upstream
    said."""
    if credential.via == "bearer":
        return
    if credential.school != session.school or credential.username not in (
        None,
        encoded_username(session.upstream.user_name),
    ):
        raise SessionMismatch


def _has_former_usertype(session: CachedSession, credential: Credential) -> bool:
    """Whether the cookie still has the type that the person was until their role changed.

    Raises `SessionMismatch` for any other type than the person's.
    """
    usertype = credential.web.usertype if credential.web else None
    type_id = session.upstream.user_type_id
    if credential.via == "bearer" or usertype is None or usertype == str(type_id or usertype):
        return False
    number = int(usertype) if usertype.isascii() and usertype.isdigit() else None
    role = client().dialect(session.school).role(number, "")
    if role == session.upstream.role or not had_role(session.account_id, role):
        raise SessionMismatch
    return True


def _rewrite_usertype(caller: Caller) -> None:
    """Let the answer of this request bring the person's present type to the client."""
    caller.renewed.web = replace(caller.web, usertype=str(caller.upstream.user_type_id))
    if caller.token_ends_at is not None:
        caller.renewed.seconds = max(0, int(caller.token_ends_at - time.time()))


def ask_upstream(caller: Caller, call: Callable[[WebSession], T]) -> T:
    """`call_with_session` as one request of the school: all that it calls counts once against the
    school's limits and has one deadline.

    Raises: NotSignedIn, and what `call` raises.
    """
    release_database_connection()
    with client().request_scope(caller.school, person=caller.person_hash):
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
        session = translate_record(with_live_token(record))
        keep_session(session, caller.credential_hash)
        return session.web

    return single_flight(f"translate:{caller.session_id}", work, wait=VALIDATION_SECONDS)
