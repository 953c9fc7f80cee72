"""Whose school data a web session shows: the one module that makes a `ProvenSession`.

A guardian's web session shows one child at a time, and upstream answers every question with 200
for whichever child was chosen last in it. It forgets the choice at each login, accepts a switch
that has no effect, and accepts wrong numbers. So an answer does not say whose it is, and clients of
such systems have shown the wrong child's data as valid. Here nothing is taken for granted:

- Each login has one web session for each child, made for that child and never switched.
- Before its first use the header has to name the child and the school, and once more after its
  first read; that read's answer is given only then.
- A session that has ended, perhaps because upstream allows one at a time and another child's was
  made, is made anew and proven anew, once in a request.
- Cookies that no record knows serve the child that they show, proven before and after each read.
- What is not proven is an error and never data (`ChildNotProven`).

The calls of `upstream` take a `ProvenSession` and no other, and `tests/architecture` lets only this
module make one: no fetch of school data can be written that leaves the rule out.
"""

import logging
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import TypeVar

from accounts import child_sessions
from accounts.callers import Caller
from accounts.child_sessions import ChildSession
from accounts.errors import NotSignedIn, SignInNeeded
from accounts.models import ServiceSession
from accounts.services.identity import call_with_session
from accounts.services.renewal import with_live_token
from accounts.services.session_records import dialect_of, find_record_by_id
from store import StoreUnavailable
from upstream.calls.children import fetch_parent_header, switch_child
from upstream.calls.web_sessions import open_child_session
from upstream.errors import ChildNotProven, SessionDead, UpstreamError, UpstreamTimeout
from upstream.records import ChosenChild, ProvenSession, WebSession
from upstream.shared_client import client

logger = logging.getLogger(__name__)
T = TypeVar("T")
Call = Callable[[ProvenSession], T]


def call_with_proven_session(caller: Caller, child: ChosenChild | None, call: Call[T]) -> T:
    """The result of `call` with a web session that is proven to show this child of a guardian, or
    with the caller's own for other roles. Call it inside a request scope.

    Raises: ChildNotProven, SignInNeeded, NotSignedIn, StoreUnavailable (guardians), and what `call`
    raises.
    """
    if caller.role != "guardian":
        return call_with_session(caller, lambda web: call(_proven(caller, web, None)))
    if child is None:
        raise ChildNotProven
    if caller.session_id is None:
        return _with_callers_session(caller, child, call)
    return _with_child_session(caller, child, call)


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
        with suppress(UpstreamTimeout, StoreUnavailable):  # the next read proves it again
            child_sessions.keep_checked(caller.session_key, child, session.web)
    return result


def _make(caller: Caller, child: ChosenChild, dead: ChildSession | None) -> ChildSession:
    """A new session for the child, or the one that another request has just made. One is made at a
    time for a login, over all processes.

    Raises: ChildNotProven, NotSignedIn (the token has expired, too).
    """
    with child_sessions.login_lock(caller.session_key):
        kept_session = child_sessions.read_session(caller.session_key, child)
        if kept_session is not None and (dead is None or kept_session.web != dead.web):
            return kept_session
        epoch = child_sessions.epoch_of(caller.session_key)
        session = ChildSession(_open(caller, _record_of(caller), child), time.time())
        with _ended_on_failure(caller, session.web):
            child_sessions.keep_session(caller, child, session, epoch)
        return session


def _open(caller: Caller, record: ServiceSession, child: ChosenChild) -> WebSession:
    """A new web session that shows the child. Nobody else knows it yet, so it may be switched."""
    dialect = dialect_of(record)
    try:
        web = open_child_session(
            client(),
            school=caller.school,
            access_token=record.access_token,
            user_id=caller.upstream.user_id,
            child=child,
            dialect=dialect,
        )
    except SessionDead:
        raise NotSignedIn from None  # a refresh can revive the token
    made_for_child = dialect.names_child
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
    if record is None:
        raise NotSignedIn
    record.account.require_not_refused()
    try:
        return with_live_token(record)
    except SessionDead:
        raise NotSignedIn from None


# --- Cookies that no record knows ---


def _with_callers_session(caller: Caller, child: ChosenChild, call: Call[T]) -> T:
    """There is no token to make sessions with, so only the child that the cookies show is served.
    They are the caller's own, who may choose another child meanwhile: it is proven each time."""

    def read(web: WebSession) -> T:
        if not _shows(caller, web, child):
            raise SignInNeeded
        result = call(_proven(caller, web, child))
        _require_child(caller, web, child)
        return result

    return call_with_session(caller, read)


# --- The proof ---


def _shows(caller: Caller, web: WebSession, child: ChosenChild) -> bool:
    header = fetch_parent_header(client(), school=caller.school, web=web)
    right_school = child.org_id is None or header.org_id == child.org_id
    return header.child_id == child.id and right_school


def _require_child(caller: Caller, web: WebSession, child: ChosenChild) -> None:
    if not _shows(caller, web, child):
        # Counted by the logger's name (docs/operations.md).
        logger.warning("a web session did not show the child that it should")
        raise ChildNotProven
