"""The web sessions that were made for a guardian's children, in the store and encrypted.

They belong to one login (its session key) and end with it. `schoolproxy.proven_sessions` makes and
uses them. Functions that read or write raise `StoreUnavailable`: without the store it is not known
which web session shows which child.
"""

import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from contextvars import copy_context
from dataclasses import astuple, dataclass, field, replace

import orjson

import store
from accounts.callers import Caller
from accounts.encryption import seal, unseal
from accounts.errors import NotSignedIn
from accounts.limits import (
    CHILD_LOCK_SECONDS,
    CHILD_LOCK_WAIT_SECONDS,
    CHILD_SESSION_SECONDS,
)
from store import StoreUnavailable
from upstream.calls.session import end_session
from upstream.deadline import own_deadline, seconds_left
from upstream.errors import UpstreamError, UpstreamTimeout
from upstream.records import ChosenChild, WebSession
from upstream.shared_client import client

_PURPOSE = "child session"


@dataclass(frozen=True, slots=True)
class ChildSession:
    """A web session that was proven to show one child. `checked`: proven again, after its first
    read. `made_at` is in Unix seconds."""

    web: WebSession = field(repr=False)
    made_at: float
    checked: bool = False


def list_key(account_id: int) -> str:
    """The key of a guardian's children (`accounts.services.children`)."""
    return f"children:{account_id}"


def _key(session_key: str) -> str:
    return f"child-sessions:{session_key}"


def epoch_of(session_key: str) -> bytes:
    """What the login's sessions are kept under until it ends: see `store.epoch`."""
    return store.epoch(_key(session_key))


def read_session(session_key: str, child: ChosenChild) -> ChildSession | None:
    session = _read_all(session_key, epoch_of(session_key)).get(child.key)
    old = session is not None and time.time() > session.made_at + CHILD_SESSION_SECONDS
    return None if old else session


def keep_session(caller: Caller, child: ChosenChild, session: ChildSession, epoch: bytes) -> None:
    """Store a session, with the login's lock. `epoch` is `epoch_of` the login from before its
    record was read.

    Raises: NotSignedIn when the login was ended since, or its account refused. Nothing is stored
    then; the caller ends the session.
    """
    sessions = _read_all(caller.session_key, epoch) | {child.key: session}
    _write_all(caller.session_key, epoch, sessions)
    if epoch_of(caller.session_key) != epoch:
        drop_child_sessions(caller.school, caller.session_key)
        raise NotSignedIn


def keep_checked(session_key: str, child: ChosenChild, web: WebSession) -> None:
    """Remember that a session was proven again, if it was not dropped or replaced meanwhile."""
    with login_lock(session_key):
        epoch = epoch_of(session_key)
        sessions = _read_all(session_key, epoch)
        session = sessions.get(child.key)
        if session is not None and session.web == web:
            sessions[child.key] = replace(session, checked=True)
            _write_all(session_key, epoch, sessions)


def drop_session(school: str, session_key: str, child: ChosenChild, web: WebSession) -> None:
    """Drop and end one session, which did not show the child any more."""
    with login_lock(session_key):
        epoch = epoch_of(session_key)
        sessions = _read_all(session_key, epoch)
        session = sessions.get(child.key)
        if session is not None and session.web == web:  # and not one that has replaced it
            del sessions[child.key]
            _write_all(session_key, epoch, sessions)
    end_soon(school, web)


def drop_child_sessions(school: str, session_key: str) -> None:
    """Drop what is stored of a login's children, and end their web sessions upstream. A request on
    its way cannot store them again."""
    key = _key(session_key)
    with suppress(StoreUnavailable):
        sessions = _read_all(session_key, epoch_of(session_key))
        store.drop(key)
        store.delete(key)
        for session in sessions.values():
            end_soon(school, session.web)


def _read_all(session_key: str, epoch: bytes) -> dict[str, ChildSession]:
    """The login's sessions by the key of their child."""
    key = _key(session_key)
    opened = unseal(_PURPOSE, f"{key}:{epoch.hex()}", store.get(key))
    rows = {} if opened is None else orjson.loads(opened)
    return {
        child_key: ChildSession(WebSession(*web), made_at, checked)
        for child_key, (web, made_at, checked) in rows.items()
    }


def _write_all(session_key: str, epoch: bytes, sessions: dict[str, ChildSession]) -> None:
    key = _key(session_key)
    rows = {child_key: astuple(session) for child_key, session in sessions.items()}
    sealed = seal(_PURPOSE, f"{key}:{epoch.hex()}", orjson.dumps(rows))
    store.put(key, sealed, CHILD_SESSION_SECONDS)


@contextmanager
def login_lock(session_key: str) -> Iterator[None]:
    """The lock of the web sessions of a login's children, over all processes.

    Raises: UpstreamTimeout when others hold it too long.
    """
    wait = seconds_left(CHILD_LOCK_WAIT_SECONDS)
    lock = store.lock(f"children-of:{session_key}", lease=CHILD_LOCK_SECONDS, wait=wait)
    with lock as held:
        if not held:
            raise UpstreamTimeout("others are making a child's web session")
        yield


def end_soon(school: str, web: WebSession) -> None:
    """End a web session upstream in another thread; errors are ignored."""
    # With the context, because it may count against a quota of requests.
    client().pool.submit(copy_context().run, _end, school, web)


def _end(school: str, web: WebSession) -> None:
    with suppress(UpstreamError), own_deadline():
        end_session(client(), school=school, web=web)
