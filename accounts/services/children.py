"""A guardian's children: the list, and which child a request means.

The list and the default are kept sealed in the store. Who is not on the list is not the caller's,
whatever upstream would answer for them.
"""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import astuple, dataclass
from functools import partial
from typing import Any

import orjson

import store
from accounts import child_sessions
from accounts.callers import Caller
from accounts.database import release_database_connection
from accounts.encryption import seal, unseal
from accounts.errors import ChildRequired, ChildUnknown
from accounts.limits import CHILDREN_FRESH_SECONDS, CHILDREN_KEPT_SECONDS
from accounts.models import Account
from accounts.services.ended_sessions import drop_school_data
from accounts.services.identity import ask_upstream
from accounts.single_flight import single_flight
from store import StoreUnavailable
from upstream.calls.children import fetch_parent_header
from upstream.errors import (
    NotForThisRole,
    UpstreamChanged,
    UpstreamError,
    UpstreamInvalid,
    UpstreamTimeout,
    UpstreamUnavailable,
)
from upstream.records import Child, ChildSchool, ChosenChild, WebSession
from upstream.shared_client import client

_PURPOSE = "children"
_LOCK_SECONDS = 5.0
_WAIT_SECONDS = 20.0


@dataclass(frozen=True, slots=True)
class ChildList:
    """A guardian's children, when upstream was asked (Unix seconds), and the default."""

    fetched_at: float
    default_id: int | None
    children: tuple[Child, ...]

    @property
    def ids(self) -> frozenset[int]:
        return frozenset(child.id for child in self.children)

    @property
    def default(self) -> str | None:
        return None if self.default_id is None else str(self.default_id)

    @property
    def names(self) -> list[dict[str, str]]:
        return [{"id": str(child.id), "name": child.name} for child in self.children]

    def choose(self, child_id: int | None, org_id: int | None) -> ChosenChild:
        """The child with this id; without one the default, else the only child. At the school with
        this number, else at the first.

        Raises: ChildRequired, ChildUnknown.
        """
        if child_id is None:
            child_id = self.default_id
        if child_id is None and len(self.children) == 1:
            child_id = self.children[0].id
        if child_id is None:
            raise ChildRequired(self.names)
        child = next((child for child in self.children if child.id == child_id), None)
        if child is None:
            raise ChildUnknown
        org_ids = [school.org_id for school in child.schools]
        if org_id is not None and org_id not in org_ids:
            raise ChildUnknown
        return ChosenChild(child.id, org_id or next(iter(org_ids), None), child.name)


def children_of(caller: Caller) -> ChildList:
    """The caller's children. An older list is used for an hour while upstream fails.

    Raises: NotForThisRole (no guardian), NotSignedIn, StoreUnavailable, upstream's errors.
    """
    if caller.role != "guardian":
        raise NotForThisRole("no guardian")
    epoch = _epoch(caller.account_id)
    stored = _decode(caller.account_id, epoch)
    age = time.time() - stored.fetched_at if stored else 0.0
    if stored and age < CHILDREN_FRESH_SECONDS:
        return stored
    if age > CHILDREN_KEPT_SECONDS:
        stored = None
    try:
        fetch = partial(_fetch, caller, stored, epoch)
        return single_flight(f"children:{caller.session_key}", fetch, wait=_WAIT_SECONDS)
    except (UpstreamUnavailable, UpstreamTimeout, UpstreamInvalid):
        if stored:
            return stored
        raise


def children_fields(caller: Caller) -> dict[str, Any]:
    """What /api/session says of a guardian's children: None while nobody can say who they are.
    Nothing for other roles."""
    if caller.role != "guardian":
        return {}
    try:
        return {"children": children_of(caller).names}
    except (UpstreamError, StoreUnavailable):
        return {"children": None}


def set_default(caller: Caller, chosen: str | None) -> ChildList:
    """Choose the child that the account's requests mean when they name none; None: no child.

    Raises: ChildUnknown, and as `children_of`.
    """
    epoch = _epoch(caller.account_id)
    known = children_of(caller)
    child_id = None if chosen is None else int(chosen)
    if child_id is not None and child_id not in known.ids:
        raise ChildUnknown
    with _locked(caller.account_id):
        Account.objects.filter(pk=caller.account_id).update(default_child_id=child_id)
        return _keep(caller.account_id, epoch, known.fetched_at, known.children)


def _fetch(caller: Caller, stored: ChildList | None, epoch: bytes) -> ChildList:
    release_database_connection()
    children = _ask(caller)
    expected = _default_of(caller.account_id) | (stored.ids if stored else frozenset())
    gone = expected - {child.id for child in children}
    if (gone or not children) and children != _ask(caller):
        # Upstream was seen to leave children out of an answer. Nobody loses one by that.
        raise UpstreamChanged("a list of children")
    if gone:
        drop_school_data(caller.account_id)
        epoch = _epoch(caller.account_id)
    with _locked(caller.account_id):
        if gone:
            mine = Account.objects.filter(pk=caller.account_id)
            mine.filter(default_child_id__in=gone).update(default_child_id=None)
        return _keep(caller.account_id, epoch, time.time(), children)


def _ask(caller: Caller) -> tuple[Child, ...]:
    def ask(web: WebSession) -> tuple[Child, ...]:
        header = fetch_parent_header(client(), school=caller.school, web=web)
        if header.child_id is not None and not header.children:
            raise UpstreamChanged("a list of children")
        return header.children

    return ask_upstream(caller, ask)


def _default_of(account_id: int) -> frozenset[int]:
    ids = Account.objects.filter(pk=account_id).values_list("default_child_id", flat=True)
    return frozenset(child_id for child_id in ids if child_id is not None)


@contextmanager
def _locked(account_id: int) -> Iterator[None]:
    """The lock of an account's list and default, over all processes."""
    lock = store.lock(f"children:{account_id}", lease=_LOCK_SECONDS, wait=_LOCK_SECONDS)
    with lock as held:
        if not held:
            raise StoreUnavailable
        yield


def _keep(
    account_id: int, epoch: bytes, fetched_at: float, children: tuple[Child, ...]
) -> ChildList:
    """Store the list with the default of the account. Call it with the lock, so that the default
    is the newest. Nothing of a login that was ended since `epoch` was read can be read again."""
    default_id = next(iter(_default_of(account_id)), None)
    child_list = ChildList(fetched_at, default_id, children)
    ttl = fetched_at + CHILDREN_KEPT_SECONDS - time.time()
    sealed = seal(_PURPOSE, _context(account_id, epoch), orjson.dumps(astuple(child_list)))
    store.put(child_sessions.list_key(account_id), sealed, max(1.0, ttl))
    return child_list


def _epoch(account_id: int) -> bytes:
    """What the list is kept under until a logout: see `store.epoch`."""
    return store.epoch(f"account-{account_id}")


def _context(account_id: int, epoch: bytes) -> str:
    return f"{account_id}:{epoch.hex()}"


def _decode(account_id: int, epoch: bytes) -> ChildList | None:
    opened = unseal(
        _PURPOSE, _context(account_id, epoch), store.get(child_sessions.list_key(account_id))
    )
    if opened is None:
        return None
    fetched_at, default_id, rows = orjson.loads(opened)
    children = tuple(
        Child(number, first, last, tuple(ChildSchool(*school) for school in schools))
        for number, first, last, schools in rows
    )
    return ChildList(fetched_at, default_id, children)
