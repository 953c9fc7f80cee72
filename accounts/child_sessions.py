"""The web sessions that were made for a guardian's children, in the store and encrypted.

They belong to one login (its session key) and end with it. `schoolproxy.proven_sessions` makes and
uses them. Functions that read or write raise `StoreUnavailable`: without the store it is not known
which web session shows which child.
"""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from contextvars import copy_context
from dataclasses import astuple, dataclass, field

import orjson

from accounts.callers import Caller
from accounts.encryption import seal, unseal
from accounts.errors import NotSignedIn, StoreUnavailable
from accounts.limits import (
    CHILD_SESSION_SECONDS,
    ONE_SESSION_SECONDS,
    TURN_SECONDS,
    TURN_WAIT_SECONDS,
)
from accounts.outbox import called_in_server
from accounts.session_cache import ENDED_SECONDS, WEB_SESSION_SECONDS, ended_key, suspended_key
from accounts.stores import store
from upstream.calls.session import end_session
from upstream.deadline import seconds_left
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


def _owner(session_key: str) -> str:
    # One hash for all of a login, so that they are taken and ended in one step.
    return f"child-sessions-{session_key}"


def read_session(session_key: str, child: ChosenChild) -> ChildSession | None:
    owner = _owner(session_key)
    session = _decode(f"{owner}:{child.key}", store().get_cached(owner, child.key))
    old = session is not None and time.time() > session.made_at + CHILD_SESSION_SECONDS
    return None if old else session


def keep_session(caller: Caller, child: ChosenChild, session: ChildSession) -> None:
    """Store a session. Raises `NotSignedIn` when the login was ended meanwhile, and the session
    with it: first it is stored, then the mark is looked for, which a logout does in the other
    order."""
    owner = _owner(caller.session_key)
    sealed = seal(_PURPOSE, f"{owner}:{child.key}", orjson.dumps(astuple(session)))
    store().set_cached(owner, child.key, sealed, CHILD_SESSION_SECONDS)
    marks = [ended_key(each) for each in (caller.session_key, caller.credential_hash)]
    if any(store().get_many([*marks, suspended_key(caller.account_id)])):
        drop_child_sessions(caller.school, caller.session_key, for_good=False)
        raise NotSignedIn


def drop_session(school: str, session_key: str, child: ChosenChild, web: WebSession) -> None:
    """Drop and end one session, which did not show the child any more."""
    store().drop_cached(_owner(session_key), child.key)
    end_soon(school, web)


@called_in_server
def drop_child_sessions(school: str, session_key: str, *, for_good: bool) -> None:
    """Drop what is stored of a login's children, and end their web sessions upstream.

    `for_good`: the login has ended, so that a request on its way cannot store them again.
    """
    owner = _owner(session_key)
    with suppress(StoreUnavailable):
        if for_good:
            store().set(ended_key(session_key), b"1", ENDED_SECONDS)
        store().delete(_own_key(session_key), _one_key(session_key))
        for name, sealed in store().take_cached(owner).items():
            session = _decode(f"{owner}:{name}", sealed)
            if session is not None:
                end_soon(school, session.web)


@contextmanager
def turn(session_key: str) -> Iterator[Callable[[], bool]]:
    """The lock of a login's web sessions, over all processes. Yields a function that says whether
    it is held still: it expires if its holder hangs.

    Raises: UpstreamTimeout when others hold it too long.
    """
    began = time.monotonic()
    wait = seconds_left(TURN_WAIT_SECONDS)
    lock = store().lock(f"children-of:{session_key}", lease=TURN_SECONDS, wait=wait)
    with lock as held:
        if not held:
            raise UpstreamTimeout("no turn for a child's web session")
        yield lambda: time.monotonic() < began + TURN_SECONDS


def end_soon(school: str, web: WebSession) -> None:
    """End a web session upstream in another thread; errors are ignored."""
    # With the context, because it may count against a quota of requests.
    client().pool.submit(copy_context().run, _end, school, web)


def _end(school: str, web: WebSession) -> None:
    with suppress(UpstreamError):
        end_session(client(), school=school, web=web)


def _decode(context: str, sealed: bytes | None) -> ChildSession | None:
    opened = unseal(_PURPOSE, context, sealed)
    if opened is None:
        return None
    web, made_at, checked = orjson.loads(opened)
    return ChildSession(WebSession(*web), made_at, checked)


# --- Where upstream allows one web session at a time ---


def _one_key(session_key: str) -> str:
    return f"one-session:{session_key}"


def _own_key(session_key: str) -> str:
    return f"own-session:{session_key}"


def allows_one(session_key: str) -> bool | None:
    """Whether upstream allows this login only one web session at a time; None: not learnt yet."""
    found = store().get(_one_key(session_key))
    return None if found is None else found == b"1"


def learn(session_key: str, *, one: bool) -> None:
    store().set(_one_key(session_key), b"1" if one else b"0", ONE_SESSION_SECONDS)


def own_session(session_key: str) -> WebSession | None:
    """The login's own web session, where another request of it has replaced the caller's."""
    opened = unseal("own session", session_key, store().get(_own_key(session_key)))
    return None if opened is None else WebSession(*orjson.loads(opened))


def keep_own_session(session_key: str, web: WebSession) -> None:
    sealed = seal("own session", session_key, orjson.dumps(astuple(web)))
    store().set(_own_key(session_key), sealed, WEB_SESSION_SECONDS)


def renewed(session_key: str, web: WebSession) -> None:
    """A refresh made new cookies: from now on they are the login's own web session."""
    with suppress(StoreUnavailable):
        if allows_one(session_key):
            keep_own_session(session_key, web)
