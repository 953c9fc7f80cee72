"""The cache of school data: when an entry is fresh, when a stale one is served, who shares a fetch.

An entry is encrypted for its owner, key and child, and for the owner's epoch: an account's changes
at logout, and nobody can read what was kept before.
Entries are stored for longer than they are fresh, to be served as stale when upstream fails.
"""

import time
import zlib
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
from schoolproxy.limits import CACHE_BYPASSES, STALE_SECONDS, STORED_ANSWERS, WAIT_SECONDS
from schoolproxy.proven_sessions import call_with_proven_session
from schoolproxy.reads import CacheScope, Fields, SchoolRead
from schoolproxy.services.children import chosen_child
from stats import counters
from store import StoreUnavailable
from upstream.errors import (
    NotForThisRole,
    UpstreamFailing,
    UpstreamInvalid,
    UpstreamTimeout,
    UpstreamUnavailable,
)
from upstream.records import ChosenChild
from upstream.shared_client import client

# What stands before the body of an entry: when it was fetched, its hash, whether it is compressed.
_HEADER = Struct(">d16s?")
# What every entry is sealed for. Another layout needs another name.
_PURPOSE = "school data, perhaps compressed"
# Bytes. The JSON of twelve subject rooms (36 kB) then takes less than a tenth of the memory, for
# 0.02 ms.
_COMPRESSED_FROM = 4096


class CachedAnswer(NamedTuple):
    """When an answer was fetched (Unix seconds), a hash of its body, the body, which is a JSON
    object of its fields, and since when it is served as stale (Unix ms; None: it is fresh)."""

    fetched_at: float
    tag: bytes
    body: bytes
    stale_since: int | None = None

    def is_younger_than(self, seconds: int) -> bool:
        return time.time() - self.fetched_at < seconds

    @property
    def etag(self) -> str:
        """A strong ETag. A stale answer has another one than the same answer while it was fresh."""
        tag = self.tag.hex()
        return f'"{tag}"' if self.stale_since is None else f'"{tag}-{self.stale_since}"'

    def to_json(self) -> bytes:
        fields: dict[str, Any] = {"success": True}
        if self.stale_since is not None:
            fields |= {"stale": True, "staleSince": self.stale_since}
        # Join two JSON objects that both have at least one field.
        return orjson.dumps(fields)[:-1] + b"," + self.body[1:]


class _Entry(NamedTuple):
    """Where an answer is in the cache. `name` is also what it is sealed for, together with the
    owner's epoch."""

    scope: CacheScope
    name: str
    child: ChosenChild | None


def answer_through_cache(caller: Caller, read: SchoolRead, *, bypass_cache: bool) -> CachedAnswer:
    """The cached answer while it is fresh, else a new one, or a stale one if upstream fails.

    Raises: as `chosen_child`, NotSignedIn, NotForThisRole, TooManyRequests (too many requests
    bypass the cache), and upstream's error when there is no entry.
    """
    child = chosen_child(caller, read.choice)
    if read.counter:
        counters.count(read.counter, account=caller.account_id)
    scope = read.scope(caller)
    entry = _Entry(scope, read.entry_name(caller, child), child)
    if bypass_cache:
        spend(CACHE_BYPASSES, caller.person_hash)
    epoch, stored = _load(entry)
    if not bypass_cache and stored and stored.is_younger_than(scope.fresh_seconds):
        return stored
    try:
        return _fetch(caller, read, entry, epoch, bypass_cache=bypass_cache)
    except (UpstreamUnavailable, UpstreamTimeout, UpstreamInvalid):
        if stored and stored.is_younger_than(scope.stored_seconds):
            stale_since = int((stored.fetched_at + scope.fresh_seconds) * 1000)
            return stored._replace(stale_since=stale_since)
        raise


def _fetch(
    caller: Caller, read: SchoolRead, entry: _Entry, epoch: bytes, *, bypass_cache: bool
) -> CachedAnswer:
    """A new answer, stored. Requests that arrive while it is fetched share it, and its error:
    those with the same credential (about the same child), or of the whole school for a school-wide
    read."""
    leads = False
    scope, child = entry.scope, entry.child

    def work() -> CachedAnswer:
        nonlocal leads
        leads = True
        if scope.school_wide and not bypass_cache:
            # Another caller of the school may have stored it since this request looked.
            _, stored = _load(entry)
            if stored and stored.is_younger_than(scope.fresh_seconds):
                return stored
        fields = call_with_proven_session(caller, child, read.fetch)
        if child is not None:
            fields |= {"child": {"id": str(child.id), "name": child.name}}
        answer = _answer_of(fields)
        _store(entry, epoch, answer)
        if read.after_fetch is not None:
            read.after_fetch(caller, child, fields)
        return answer

    shared_by = scope.owner if scope.school_wide else caller.credential_hash
    release_database_connection()
    # Around the single-flight, because a request that waits for another one holds a thread too.
    with client().request_scope(caller.school, person=caller.person_hash):
        try:
            return single_flight(f"{shared_by}:{entry.name}", work, wait=WAIT_SECONDS)
        except (NotSignedIn, NotForThisRole, UpstreamFailing, UpstreamInvalid):
            if leads or not scope.school_wide:
                raise
            return work()  # it failed for the caller who fetched for all, and may not for this one


def _answer_of(fields: Fields) -> CachedAnswer:
    try:
        body = orjson.dumps(fields)
    except orjson.JSONEncodeError:
        # orjson reads deeper nesting than it writes.
        raise UpstreamInvalid("data that cannot be passed on") from None
    return CachedAnswer(time.time(), blake2b(body, digest_size=16).digest(), body)


def _store(entry: _Entry, epoch: bytes, answer: CachedAnswer) -> None:
    """Store an answer for the owner's `epoch` of when the request began: after a logout meanwhile
    nobody can read it."""
    scope = entry.scope
    if not scope.fresh_seconds:
        return
    is_compressed = len(answer.body) >= _COMPRESSED_FROM
    body = zlib.compress(answer.body, 1) if is_compressed else answer.body
    plain = _HEADER.pack(answer.fetched_at, answer.tag, is_compressed) + body
    encrypted = seal(_PURPOSE, _sealed_for(entry, epoch), plain)
    with suppress(StoreUnavailable):
        stored = store.count(f"answers:{scope.owner}", STALE_SECONDS, most=STORED_ANSWERS)
        if stored.number <= STORED_ANSWERS:
            store.put(f"answer:{entry.name}", encrypted, scope.stored_seconds)


def _load(entry: _Entry) -> tuple[bytes, CachedAnswer | None]:
    """The owner's epoch, and the stored answer."""
    with suppress(StoreUnavailable):
        if entry.scope.fresh_seconds:
            epoch, encrypted = store.answer_with_epoch(entry.scope.owner, f"answer:{entry.name}")
            return epoch, _decrypt(encrypted, _sealed_for(entry, epoch))
    return b"", None


def _sealed_for(entry: _Entry, epoch: bytes) -> str:
    return f"{entry.name}:{epoch.hex()}"


def _decrypt(encrypted: bytes | None, sealed_for: str) -> CachedAnswer | None:
    plain = unseal(_PURPOSE, sealed_for, encrypted)
    if plain is None:
        return None
    fetched_at, tag, is_compressed = _HEADER.unpack_from(plain)
    body = plain[_HEADER.size :]
    return CachedAnswer(fetched_at, tag, zlib.decompress(body) if is_compressed else body)
