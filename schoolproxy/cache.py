"""The cache of school data: when an entry is fresh, when a stale one is served, who shares a fetch.

An entry is encrypted for its owner, key and child; an account's entries are deleted at logout.
Entries are stored for longer than they are fresh, to be served as stale when upstream fails.
"""

import time
import zlib
from contextlib import suppress
from dataclasses import dataclass
from hashlib import blake2b
from struct import Struct
from typing import Any, NamedTuple

import orjson

from accounts.callers import Caller
from accounts.database import release_database_connection
from accounts.encryption import seal, unseal
from accounts.errors import NotSignedIn, StoreUnavailable
from accounts.rate_limits import spend
from accounts.session_cache import ended_key
from accounts.single_flight import single_flight
from accounts.stores import store
from schoolproxy.limits import CACHE_BYPASSES, WAIT_SECONDS
from schoolproxy.proven_sessions import call_with_proven_session
from schoolproxy.reads import CacheScope, Fields, SchoolRead
from schoolproxy.services.children import chosen_child
from stats import counters
from upstream.errors import (
    NotForThisRole,
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


@dataclass(frozen=True, slots=True)
class _EntryKey:
    """Where an answer to a caller is in the cache, and what it is sealed for."""

    scope: CacheScope
    name: str
    sealed_for: str
    child: ChosenChild | None


def answer_through_cache(
    caller: Caller,
    read: SchoolRead,
    *,
    prefetched: bytes | None,
    children: bytes | None,
    bypass_cache: bool,
) -> CachedAnswer:
    """The cached answer while it is fresh, else a new one, or a stale one if upstream fails.

    `prefetched` is the encrypted entry, and `children` a guardian's stored list of children, if
    they came with the look-up of the session.

    Raises: as `chosen_child`, NotSignedIn, NotForThisRole, TooManyRequests (too many requests
    bypass the cache), and upstream's error when there is no entry.
    """
    child = chosen_child(caller, read.choice, children)
    if read.counter:
        counters.count(read.counter, account=caller.account_id)
    hint = caller.hint
    scope = read.scope(hint)
    entry_key = _EntryKey(scope, read.cache_key(hint)[1], read.sealed_for(hint, child), child)
    stored = _decrypt(entry_key, prefetched)
    if bypass_cache:
        spend(CACHE_BYPASSES, str(caller.account_id))
    elif stored and stored.is_younger_than(scope.fresh_seconds):
        return stored
    try:
        return _fetch(caller, read, entry_key, bypass_cache=bypass_cache)
    except (UpstreamUnavailable, UpstreamTimeout, UpstreamInvalid):
        stored = stored or _load(entry_key)
        if stored and stored.is_younger_than(scope.stored_seconds):
            stale_since = int((stored.fetched_at + scope.fresh_seconds) * 1000)
            return stored._replace(stale_since=stale_since)
        raise


def _fetch(
    caller: Caller, read: SchoolRead, entry_key: _EntryKey, *, bypass_cache: bool
) -> CachedAnswer:
    """A new answer, stored. Requests that arrive while it is fetched share it, and its error:
    those with the same credential (about the same child), or of the whole school for a school-wide
    read."""
    leads = False
    scope, child = entry_key.scope, entry_key.child

    def work() -> CachedAnswer:
        nonlocal leads
        leads = True
        if scope.school_wide and not bypass_cache:
            # Another caller of the school may have stored it since this request's look-up.
            stored = _load(entry_key)
            if stored and stored.is_younger_than(scope.fresh_seconds):
                return stored
        fields = call_with_proven_session(caller, child, read.fetch)
        if child is not None:
            fields |= {"child": {"id": str(child.id), "name": child.name}}
        answer = _answer_of(fields)
        _store(caller, entry_key, answer)
        if read.after_fetch is not None:
            read.after_fetch(caller, child, fields)
        return answer

    shared_by = scope.owner if scope.school_wide else caller.credential_hash
    release_database_connection()
    # Around the single-flight, because a request that waits for another one holds a thread too.
    with client().request_scope(caller.school):
        try:
            return single_flight(f"{shared_by}:{entry_key.sealed_for}", work, wait=WAIT_SECONDS)
        except (NotSignedIn, NotForThisRole):
            if leads or not scope.school_wide:
                raise
            return work()  # upstream refused the caller who fetched for all, not this one


def _answer_of(fields: Fields) -> CachedAnswer:
    try:
        body = orjson.dumps(fields)
    except orjson.JSONEncodeError:
        # orjson reads deeper nesting than it writes.
        raise UpstreamInvalid("data that cannot be passed on") from None
    return CachedAnswer(time.time(), blake2b(body, digest_size=16).digest(), body)


def _store(caller: Caller, entry_key: _EntryKey, answer: CachedAnswer) -> None:
    """Store an answer, unless the caller has signed out since: their entries were deleted then."""
    scope = entry_key.scope
    if not scope.fresh_seconds:
        return
    is_compressed = len(answer.body) >= _COMPRESSED_FROM
    body = zlib.compress(answer.body, 1) if is_compressed else answer.body
    plain = _HEADER.pack(answer.fetched_at, answer.tag, is_compressed) + body
    encrypted = seal(_PURPOSE, entry_key.sealed_for, plain)
    with suppress(StoreUnavailable):
        ended = ended_key(caller.credential_hash)
        store().set_cached(
            scope.owner, entry_key.name, encrypted, scope.stored_seconds, unless=ended
        )


def _load(entry_key: _EntryKey) -> CachedAnswer | None:
    """The stored answer. Needed where the look-up of the session could not ask for it, because
    this process had not seen the credential before."""
    with suppress(StoreUnavailable):
        if entry_key.scope.fresh_seconds:
            return _decrypt(entry_key, store().get_cached(entry_key.scope.owner, entry_key.name))
    return None


def _decrypt(entry_key: _EntryKey, encrypted: bytes | None) -> CachedAnswer | None:
    if encrypted is None or not entry_key.scope.fresh_seconds:
        return None
    plain = unseal(_PURPOSE, entry_key.sealed_for, encrypted)
    if plain is None:
        return None
    fetched_at, tag, is_compressed = _HEADER.unpack_from(plain)
    body = plain[_HEADER.size :]
    return CachedAnswer(fetched_at, tag, zlib.decompress(body) if is_compressed else body)
