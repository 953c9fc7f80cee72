"""Copies of school data: keys, lifetimes, tags, freshness, calm in an outage.

A copy is kept sealed for its owner, and an account's are dropped at logout. While it is fresh it
is an answer; as long as it is kept it is what we have when upstream fails. Its owner is the
account; for a guardian the credential, because upstream remembers per web session which child
was chosen, and one login may have several; and the school for what is the same for everyone there.
"""

import time
from collections.abc import Callable
from contextlib import suppress
from hashlib import blake2b
from struct import Struct
from typing import Any, NamedTuple

import orjson
from django.conf import settings

from accounts.callers import Caller, CredentialHint
from accounts.encryption import seal, unseal
from accounts.errors import NotSignedIn, StoreUnavailable
from accounts.limits import spend
from accounts.session_cache import ended_key
from accounts.single_flight import single_flight
from accounts.stores import store
from schoolproxy.limits import (
    SCHOOL_FRESH_SECONDS,
    SCHOOL_STALE_SECONDS,
    STALE_SECONDS,
    WAIT_SECONDS,
)
from upstream.errors import (
    NotForThisRole,
    UpstreamAway,
    UpstreamError,
    UpstreamInvalid,
    UpstreamTimeout,
)
from upstream.shared_client import client

_HEAD = Struct(">d16s")

Fields = dict[str, Any]


class Shelf(NamedTuple):
    """Where the copies of a noun lie: whose they are, and for how many seconds they count.

    `fresh` 0: nothing is kept. `school_wide`: one caller's answer is everyone's.
    """

    owner: str
    fresh: int
    kept: int
    school_wide: bool = False


class Asked(NamedTuple):
    """How a request asks: the sealed copy that came with the look-up (None: none came), and
    whether it passes the cache by."""

    copy: bytes | None = None
    afresh: bool = False


class Copy(NamedTuple):
    """An answer's own fields as a JSON object, a tag of these bytes, and when they were read
    (Unix seconds)."""

    since: float
    tag: bytes
    body: bytes


class Answer(NamedTuple):
    """A JSON object, its tag, and since when it has been stale (Unix ms; None: it is not)."""

    body: bytes
    tag: bytes
    stale_since: int | None = None

    @property
    def etag(self) -> str:
        """A strong tag: other bytes have another one, and stale ones too."""
        if self.stale_since is None:
            return f'"{self.tag.hex()}"'
        return f'"{self.tag.hex()}-{self.stale_since}"'


def personal(hint: CredentialHint) -> Shelf:
    """For what is the caller's own."""
    if hint.role == "guardian":
        owner = f"credential-{hint.credential_hash}"
    else:
        owner = f"account-{hint.account_id}"
    return Shelf(owner, settings.SCHOOL_CACHE_SECONDS, STALE_SECONDS)


def school_wide(hint: CredentialHint) -> Shelf:
    """For what is the same for everyone at a school.

    A slug may hold many schools: the number that upstream's session answer gives tells them
    apart. Without one, and for a guardian, whose chosen child decides, it is the caller's own.
    """
    if hint.organization_id is None or hint.role == "guardian":
        return personal(hint)
    owner = f"school-{hint.school}-{hint.organization_id}"
    return Shelf(owner, SCHOOL_FRESH_SECONDS, SCHOOL_STALE_SECONDS, school_wide=True)


def asks_afresh(cache_control: str) -> bool:
    """Whether a request's `Cache-Control` passes the cache by."""
    return "no-cache" in cache_control.lower() if cache_control else False


def answer_through_cache(
    caller: Caller, name: str, *, shelf: Shelf, asked: Asked, fetch: Callable[[], Fields]
) -> Answer:
    """The kept answer while it is fresh, else what `fetch` brings: the answer's own fields.

    Callers with the same credential (of the same school) who ask for the same thing at once share
    one `fetch`. When upstream fails, what is still kept is served as stale; without it, upstream's
    error is raised. Raises `TooManyRequests` when the cache is passed by too often.
    """
    copy = _open(shelf, name, asked.copy)
    if copy and not asked.afresh and _is_fresh(copy, shelf):
        return Answer(copy.body, copy.tag)
    if asked.afresh:
        spend("fresh_reads", str(caller.account_id))

    def work() -> Copy:
        if shelf.school_wide and not asked.afresh:
            # Somebody else may have fetched it a moment ago.
            found = _look_again(shelf, name)
            if found and _is_fresh(found, shelf):
                return found
        new = _copy_of(fetch())
        _keep(caller, shelf, name, new)
        return new

    try:
        fetched = _together(caller, name, shelf, work)
        return Answer(fetched.body, fetched.tag)
    except (UpstreamAway, UpstreamTimeout, UpstreamInvalid, TimeoutError) as error:
        copy = copy or _look_again(shelf, name)
        if copy and time.time() - copy.since < shelf.kept:
            return Answer(copy.body, copy.tag, int((copy.since + shelf.fresh) * 1000))
        raise error if isinstance(error, UpstreamError) else UpstreamTimeout() from None


def _together(caller: Caller, name: str, shelf: Shelf, work: Callable[[], Copy]) -> Copy:
    """`work`, once for all who want its result now."""
    leading = False

    def lead() -> Copy:
        nonlocal leading
        leading = True
        return work()

    whose = shelf.owner if shelf.school_wide else caller.credential_hash
    try:
        # Who waits holds a thread as well, and counts as a request of the school.
        with client().request_scope(caller.school):
            return single_flight(f"{whose}:{name}", lead, wait=WAIT_SECONDS)
    except (NotSignedIn, NotForThisRole):
        if leading or not shelf.school_wide:
            raise
        return work()  # that was said of the one who asked for all, not of this caller


def _is_fresh(copy: Copy, shelf: Shelf) -> bool:
    return time.time() - copy.since < shelf.fresh


def _copy_of(fields: Fields) -> Copy:
    try:
        body = orjson.dumps(fields)
    except orjson.JSONEncodeError:
        # We read deeper nesting than we can write.
        raise UpstreamInvalid("data that cannot be passed on") from None
    return Copy(time.time(), blake2b(body, digest_size=16).digest(), body)


def _keep(caller: Caller, shelf: Shelf, name: str, copy: Copy) -> None:
    """Not for a caller who has signed out meanwhile: their copies were dropped then."""
    if not shelf.fresh:
        return
    opened = _HEAD.pack(copy.since, copy.tag) + copy.body
    sealed = seal("school data", f"{shelf.owner}:{name}", opened)
    with suppress(StoreUnavailable):
        store().set_cached(
            shelf.owner, name, sealed, shelf.kept, unless=ended_key(caller.credential_hash)
        )


def _look_again(shelf: Shelf, name: str) -> Copy | None:
    """The look-up asks for a copy only where this process has seen the caller before."""
    with suppress(StoreUnavailable):
        return _open(shelf, name, store().get_cached(shelf.owner, name) if shelf.fresh else None)
    return None


def _open(shelf: Shelf, name: str, sealed: bytes | None) -> Copy | None:
    if sealed is None or not shelf.fresh:
        return None
    opened = unseal("school data", f"{shelf.owner}:{name}", sealed)
    if opened is None:
        return None
    since, tag = _HEAD.unpack_from(opened)
    return Copy(since, tag, opened[_HEAD.size :])
