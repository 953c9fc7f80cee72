"""The cache of school data: when an entry is fresh, when a stale one is served, who shares a fetch.

An entry is encrypted for its owner, key and child, and for the owner's epoch: an account's changes
at logout, and nobody can read what was kept before.
Entries are stored for longer than they are fresh, to be served as stale when upstream fails.
"""

import time
import zlib
from collections.abc import Callable
from contextlib import suppress
from hashlib import blake2b
from struct import Struct
from typing import Any, NamedTuple

import orjson

import store
from accounts.callers import Caller
from accounts.database import release_database_connection
from accounts.encryption import seal, unseal
from accounts.errors import NotSignedIn
from accounts.single_flight import single_flight
from limits import spend
from schoolproxy.errors import SwitchedOff
from schoolproxy.limits import (
    CACHE_BYPASSES,
    FEATURES_RETRY_SECONDS,
    FEATURES_WAIT_SECONDS,
    STALE_SECONDS,
    STORED_ANSWERS,
    WAIT_SECONDS,
)
from schoolproxy.proven_sessions import call_with_proven_session
from schoolproxy.reads import CacheEntry, ChildChoice, Fields, SchoolRead
from schoolproxy.services.children import child_fields, chosen_child
from schoolproxy.services.features import features_read
from stats import counters
from store import StoreUnavailable
from upstream.deadline import deadline_scope
from upstream.errors import (
    NotForThisRole,
    UpstreamError,
    UpstreamFailing,
    UpstreamInvalid,
    UpstreamTimeout,
    UpstreamUnavailable,
)
from upstream.records import ChosenChild
from upstream.shared_client import client

# What stands before the compressed body of an entry: when it was fetched.
_FETCHED_AT = Struct(">d")
# What every entry is sealed for. Another layout needs another name.
_PURPOSE = "school data, compressed"


class CachedAnswer(NamedTuple):
    """When an answer was fetched (Unix seconds), its body, which is a JSON object of its fields,
    and since when it is served as stale (Unix ms; None: it is fresh)."""

    fetched_at: float
    body: bytes
    stale_since: int | None = None

    def is_younger_than(self, seconds: int) -> bool:
        return time.time() - self.fetched_at < seconds

    @property
    def etag(self) -> str:
        """A strong ETag. A stale answer has another one than the same answer while it was fresh."""
        tag = blake2b(self.body, digest_size=16).hexdigest()
        return f'"{tag}"' if self.stale_since is None else f'"{tag}-{self.stale_since}"'

    def changed(self, change: Callable[[Fields], Fields]) -> "CachedAnswer":
        """The answer with other fields, made from its own. Raises: what `change` raises."""
        return self._replace(body=orjson.dumps(change(orjson.loads(self.body))))

    def to_json(self) -> bytes:
        fields: dict[str, Any] = {"success": True}
        if self.stale_since is not None:
            fields |= {"stale": True, "staleSince": self.stale_since}
        # Join two JSON objects that both have at least one field.
        return orjson.dumps(fields)[:-1] + b"," + self.body[1:]


class Question(NamedTuple):
    """Who asks, about which child, and whether the school is to be asked again."""

    caller: Caller
    choice: ChildChoice
    bypass_cache: bool = False


def ask(question: Question, read: SchoolRead) -> CachedAnswer:
    """As `answer_through_cache`."""
    caller, choice, bypass_cache = question
    return answer_through_cache(caller, read, choice, bypass_cache=bypass_cache)


def answer_through_cache(
    caller: Caller, read: SchoolRead, choice: ChildChoice, *, bypass_cache: bool
) -> CachedAnswer:
    """The cached answer while it is fresh, else a new one, or a stale one if upstream fails.

    Raises: as `chosen_child`, NotSignedIn, NotForThisRole, TooManyRequests (too many requests
    bypass the cache), and upstream's error when there is no entry.
    """
    if not read.for_teachers and caller.role == "teacher":
        raise NotForThisRole("nobody has seen a teacher's side of this")
    child = chosen_child(caller, choice)
    if read.feature is not None and _is_switched_off(caller, choice, read.feature):
        raise SwitchedOff
    if read.counter:
        counters.count(read.counter, account=caller.account_id)
    entry = read.entry(caller, child)
    if bypass_cache:
        spend(CACHE_BYPASSES, caller.person_hash)
    epoch, stored = _load(entry)
    if not bypass_cache and stored and stored.is_younger_than(entry.fresh_seconds):
        return stored
    try:
        return _fetch(caller, read, child, entry, epoch, bypass_cache=bypass_cache)
    except (UpstreamUnavailable, UpstreamTimeout, UpstreamInvalid):
        if stored and stored.is_younger_than(entry.stored_seconds):
            stale_since = int((stored.fetched_at + entry.fresh_seconds) * 1000)
            return stored._replace(stale_since=stale_since)
        raise


def _is_switched_off(caller: Caller, choice: ChildChoice, feature: str) -> bool:
    """Whether the school's menu says so. A menu that cannot be read says nothing, for a minute."""
    failed = f"menu-failed:{caller.account_id}:{choice.child_id}:{choice.org_id}"
    with suppress(StoreUnavailable):
        if store.get(failed) is not None:
            return False
    try:
        with deadline_scope(time.monotonic() + FEATURES_WAIT_SECONDS):
            answer = answer_through_cache(caller, features_read(), choice, bypass_cache=False)
    except UpstreamError:
        with suppress(StoreUnavailable):
            store.put(failed, b"1", FEATURES_RETRY_SECONDS)
        return False
    return orjson.loads(answer.body)["features"][feature] is False


def _fetch(
    caller: Caller,
    read: SchoolRead,
    child: ChosenChild | None,
    entry: CacheEntry,
    epoch: bytes,
    *,
    bypass_cache: bool,
) -> CachedAnswer:
    """A new answer, stored. Requests that arrive while it is fetched share it, and its error:
    those with the same credential (about the same child), or of the whole school for a school-wide
    read."""
    leads = False

    def work() -> CachedAnswer:
        nonlocal leads
        leads = True
        if entry.school_wide and not bypass_cache:
            # Another caller of the school may have stored it since this request looked.
            _, stored = _load(entry)
            if stored and stored.is_younger_than(entry.fresh_seconds):
                return stored
        fields = call_with_proven_session(caller, child, read.fetch) | child_fields(child)
        answer = _answer_of(fields)
        _store(entry, epoch, answer)
        if read.after_fetch is not None:
            read.after_fetch(caller, child, fields)
        return answer

    shared_by = entry.owner if entry.school_wide else caller.credential_hash
    release_database_connection()
    # Around the single-flight, because a request that waits for another one holds a thread too.
    with client().request_scope(caller.school, person=caller.person_hash):
        try:
            return single_flight(f"{shared_by}:{entry.name}", work, wait=WAIT_SECONDS)
        except (NotSignedIn, NotForThisRole, UpstreamFailing, UpstreamInvalid):
            if leads or not entry.school_wide:
                raise
            return work()  # it failed for the caller who fetched for all, and may not for this one


def _answer_of(fields: Fields) -> CachedAnswer:
    try:
        body = orjson.dumps(fields)
    except orjson.JSONEncodeError:
        # orjson reads deeper nesting than it writes.
        raise UpstreamInvalid("data that cannot be passed on") from None
    return CachedAnswer(time.time(), body)


def _store(entry: CacheEntry, epoch: bytes, answer: CachedAnswer) -> None:
    """Store an answer for the owner's `epoch` of when the request began: after a logout meanwhile
    nobody can read it."""
    if not entry.fresh_seconds:
        return
    plain = _FETCHED_AT.pack(answer.fetched_at) + zlib.compress(answer.body, 1)
    encrypted = seal(_PURPOSE, _sealed_for(entry, epoch), plain)
    with suppress(StoreUnavailable):
        stored = store.count(f"answers:{entry.owner}", STALE_SECONDS, most=STORED_ANSWERS)
        if stored.number <= STORED_ANSWERS:
            store.put(f"answer:{entry.name}", encrypted, entry.stored_seconds)


def _load(entry: CacheEntry) -> tuple[bytes, CachedAnswer | None]:
    """The owner's epoch, and the stored answer."""
    with suppress(StoreUnavailable):
        if entry.fresh_seconds:
            epoch, encrypted = store.answer_with_epoch(entry.owner, f"answer:{entry.name}")
            return epoch, _decrypt(encrypted, _sealed_for(entry, epoch))
    return b"", None


def _sealed_for(entry: CacheEntry, epoch: bytes) -> str:
    return f"{entry.name}:{epoch.hex()}"


def _decrypt(encrypted: bytes | None, sealed_for: str) -> CachedAnswer | None:
    plain = unseal(_PURPOSE, sealed_for, encrypted)
    if plain is None:
        return None
    (fetched_at,) = _FETCHED_AT.unpack_from(plain)
    return CachedAnswer(fetched_at, zlib.decompress(plain[_FETCHED_AT.size :]))
