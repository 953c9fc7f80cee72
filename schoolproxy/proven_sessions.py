"""Whose school data a web session shows: the one module that makes a `ProvenSession`.

A guardian's web session shows one child at a time, and upstream answers every question with 200
for whichever child was chosen last in it. It forgets the choice at each login, accepts a switch
that has no effect, and accepts wrong numbers. So an answer does not say whose it is, and clients of
such systems have shown the wrong child's data as valid. Here nothing is taken for granted:

- Each login has one web session for each child, made for that child and never switched.
- Before its first use the header has to name the child and the school, and once more after its
  first read; that read's answer is given only then. A session that upstream ended is made anew, and
  proven anew.
- Where upstream ends the older web session when a newer one is made, the reads of a login take
  turns under one lock over all processes: switch, prove, read, prove. The same for cookies that no
  record knows: there is no token to make sessions with.
- What is not proven is an error and never data (`ChildNotProven`).

The calls of `upstream` take a `ProvenSession` and no other, and `tests/architecture` lets only this
module make one: no fetch of school data can be written that leaves the rule out.
"""

import logging
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import TypeVar

from django.utils import timezone

from accounts import child_sessions, session_cache
from accounts.callers import Caller
from accounts.child_sessions import ChildSession
from accounts.errors import NotSignedIn, StoreUnavailable
from accounts.models import ServiceSession
from accounts.services.identity import call_with_session
from accounts.services.refresh import adopt_web_session
from accounts.services.session_records import find_record_by_id
from upstream.calls.children import fetch_parent_header, open_child_session, switch_child
from upstream.errors import ChildNotProven, SessionDead, UpstreamError
from upstream.records import ChosenChild, ProvenSession, WebSession
from upstream.shared_client import client

logger = logging.getLogger(__name__)
T = TypeVar("T")
Call = Callable[[ProvenSession], T]


class _OneSessionOnly(Exception):
    """Upstream has just ended the login's own web session: it allows one at a time."""


def call_with_proven_session(caller: Caller, child: ChosenChild | None, call: Call[T]) -> T:
    """The result of `call` with a web session that is proven to show this child of a guardian, or
    with the caller's own for other roles. Call it inside a request scope.

    Raises: ChildNotProven, NotSignedIn, StoreUnavailable (guardians), and what `call` raises.
    """
    if caller.role != "guardian":
        return call_with_session(caller, lambda web: call(_proven(caller, web, None)))
    if child is None:
        raise ChildNotProven
    if caller.session_id is not None:
        try:
            return _with_child_session(caller, child, call)
        except _OneSessionOnly:
            pass
    return _in_turn(caller, child, call)


def _proven(caller: Caller, web: WebSession, child: ChosenChild | None) -> ProvenSession:
    return ProvenSession(
        web.jsessionid,
        web.hash,
        web.usertype,
        school=caller.school,
        role=caller.role,
        child=child,
    )


# --- A web session for each child ---


def _with_child_session(caller: Caller, child: ChosenChild, call: Call[T]) -> T:
    session = child_sessions.read_session(caller.session_key, child)
    if session is not None:
        try:
            return _read(caller, child, session, call)
        except SessionDead:
            pass
    session = _make(caller, child, dead=session)
    try:
        return _read(caller, child, session, call)
    except SessionDead:
        raise ChildNotProven from None


def _read(caller: Caller, child: ChosenChild, session: ChildSession, call: Call[T]) -> T:
    result = call(_proven(caller, session.web, child))
    if not session.checked:
        try:
            _require_child(caller, session.web, child)
        except ChildNotProven:
            child_sessions.drop_session(caller.school, caller.session_key, child, session.web)
            raise
        checked = ChildSession(session.web, session.made_at, checked=True)
        child_sessions.keep_session(caller, child, checked)
    return result


def _make(caller: Caller, child: ChosenChild, dead: ChildSession | None) -> ChildSession:
    """A new session for the child, or the one that another request has just made. One is made at a
    time for a login, over all processes.

    Raises: _OneSessionOnly, ChildNotProven, NotSignedIn (the token has expired, too).
    """
    with child_sessions.turn(caller.session_key):
        found = child_sessions.read_session(caller.session_key, child)
        if found is not None and (dead is None or found.web != dead.web):
            return found
        one = child_sessions.allows_one(caller.session_key)
        if one:
            raise _OneSessionOnly
        record = _record_of(caller)
        own_lives = one is None and _is_alive(caller, caller.web)
        session = ChildSession(_open(caller, record, child), time.time())
        with _ended_on_failure(caller, session.web):
            if own_lives and not _is_alive(caller, caller.web):
                child_sessions.learn(caller.session_key, one=True)
                _adopt(caller, record, session.web)
                raise _OneSessionOnly
            if own_lives:
                child_sessions.learn(caller.session_key, one=False)
            child_sessions.keep_session(caller, child, session)
        return session


def _open(caller: Caller, record: ServiceSession, child: ChosenChild) -> WebSession:
    """A new web session that shows the child. Nobody else knows it yet, so it may be switched."""
    try:
        web = open_child_session(
            client(),
            school=caller.school,
            access_token=record.secret("access_token") or "",
            user_id=caller.upstream.user_id,
            child=child,
        )
    except SessionDead:
        raise NotSignedIn from None  # a refresh can revive the token
    made_for_child = client().dialect(caller.school).names_child
    with _ended_on_failure(caller, web):
        try:
            if not (made_for_child and _shows(caller, web, child)):
                switch_child(client(), school=caller.school, web=web, child=child)
                _require_child(caller, web, child)
        except SessionDead:
            raise ChildNotProven from None
    return web


@contextmanager
def _ended_on_failure(caller: Caller, web: WebSession) -> Iterator[None]:
    """End a session that nobody has stored when something fails inside."""
    try:
        yield
    except (UpstreamError, NotSignedIn, StoreUnavailable):
        child_sessions.end_soon(caller.school, web)
        raise


def _record_of(caller: Caller) -> ServiceSession:
    record = find_record_by_id(caller.session_id)
    if record is None or not record.seconds_left(timezone.now()):
        raise NotSignedIn
    return record


# --- One web session at a time ---


def _in_turn(caller: Caller, child: ChosenChild, call: Call[T]) -> T:
    """Switch, prove, read, prove, while no other request of the login does."""
    with child_sessions.turn(caller.session_key) as still_ours:
        for web in _own_sessions(caller):
            with suppress(SessionDead):
                return _switch_and_read(caller, web, child, call, still_ours)
        if caller.session_id is None:
            session_cache.forget(caller.credential_hash)
            raise NotSignedIn
        record = _record_of(caller)
        web = _open(caller, record, child)
        _adopt(caller, record, web)
        try:
            return _switch_and_read(caller, web, child, call, still_ours)
        except SessionDead:
            raise ChildNotProven from None


def _switch_and_read(
    caller: Caller,
    web: WebSession,
    child: ChosenChild,
    call: Call[T],
    still_ours: Callable[[], bool],
) -> T:
    if not _shows(caller, web, child):
        switch_child(client(), school=caller.school, web=web, child=child)
        _require_child(caller, web, child)
    result = call(_proven(caller, web, child))
    _require_child(caller, web, child)
    if not still_ours():
        raise ChildNotProven  # another request may have switched it there and back
    return result


def _own_sessions(caller: Caller) -> list[WebSession]:
    """The login's own web session, the newest first: another request may have renewed it."""
    newest = child_sessions.own_session(caller.session_key)
    return [caller.web] if newest in (None, caller.web) else [newest, caller.web]


def _adopt(caller: Caller, record: ServiceSession, web: WebSession) -> None:
    """Make this the login's own web session. Its cookies go out on the answer."""
    with _ended_on_failure(caller, web):
        adopt_web_session(record, web)
        child_sessions.keep_own_session(caller.session_key, web)
    session_cache.replace_web(caller.credential_hash, web)
    if caller.via == "cookie":
        caller.renewed.web = web
        caller.renewed.seconds = record.seconds_left(timezone.now())


# --- What both need ---


def _shows(caller: Caller, web: WebSession, child: ChosenChild) -> bool:
    header = fetch_parent_header(client(), school=caller.school, web=web)
    right_school = child.org_id is None or header.org_id == child.org_id
    return header.child_id == child.id and right_school


def _require_child(caller: Caller, web: WebSession, child: ChosenChild) -> None:
    if not _shows(caller, web, child):
        # Counted by the logger's name (docs/operations.md).
        logger.warning("a web session did not show the child that it should")
        raise ChildNotProven


def _is_alive(caller: Caller, web: WebSession) -> bool:
    try:
        fetch_parent_header(client(), school=caller.school, web=web)
    except SessionDead:
        return False
    return True
