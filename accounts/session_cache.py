"""Validated sessions, cached in the store and encrypted.

`session:<credential hash>` holds the session. `ended:<credential hash>` marks one that was ended,
because a request that was on its way may cache it again; the database remembers it for longer
(`EndedCookiePair`). `refusals` is a random word that changes whenever an account is suspended or
erased: a session that was cached under another word is looked up in the database before it is used.

A session of a cookie pair without a record is of a client that signed in at upstream itself.
`unrecorded:<account>:<number>` holds the credential hash of one, by which it is found when all
sessions of the account end.
"""

import secrets
import time
from contextlib import suppress
from dataclasses import astuple, dataclass, field, replace
from typing import NamedTuple

import orjson
from django.conf import settings

import store
from accounts.callers import Caller
from accounts.cookies import Credential
from accounts.encryption import SecretUnreadable, seal, unseal
from accounts.limits import MAX_SESSIONS, WEB_SESSION_KEPT_SECONDS
from accounts.models import ServiceSession
from store import StoreUnavailable
from upstream.records import UpstreamSession, WebSession

# A web session lasts about an hour; its cookies must leave the cache before.
WEB_SESSION_SECONDS = 55 * 60
# After a failed check, the earlier answer is used for so long before the next one.
RETRY_SECONDS = 5.0
# Changes with the fields of `CachedSession`: processes of another version do not read the entry.
_PURPOSE = "session entry, 10 fields"
_REFUSALS = "refusals"


@dataclass(frozen=True, slots=True)
class CachedSession:
    """One validated session. Times are Unix seconds.

    `web_since` is when the cookies were issued, or first seen; `token_ends_at` is when the login
    ends (None for a session without a record); `retry_at` is when to check again after
    upstream could not be asked. `refusals` is the word under which the database last said that
    the account is neither suspended nor erased.
    """

    account_id: int
    username: str
    school: str
    session_id: str | None
    web: WebSession = field(repr=False)
    upstream: UpstreamSession = field(repr=False)
    validated_at: float
    web_since: float
    token_ends_at: float | None = None
    refusals: str = ""
    retry_at: float = 0.0

    @classmethod
    def of_record(
        cls, record: ServiceSession, web: WebSession, answer: UpstreamSession
    ) -> "CachedSession":
        """The session of a record whose web cookies upstream has just described."""
        account, now = record.account, time.time()
        ends_at = None
        with suppress(SecretUnreadable, ValueError):
            ends_at = record.ends_at.timestamp()
        return cls(
            account.pk, account.username, account.school, record.pk, web, answer, now, now, ends_at
        )

    def is_fresh(self, now: float) -> bool:
        """Whether upstream need not be asked yet."""
        return now < max(self.validated_at + settings.SESSION_CHECK_SECONDS, self.retry_at)

    def within_outage_grace(self, now: float) -> bool:
        """Whether it was valid recently enough to be used while upstream cannot be asked."""
        return now < self.validated_at + settings.OUTAGE_GRACE_SECONDS

    def caller(self, credential: Credential) -> Caller:
        return Caller(
            account_id=self.account_id,
            username=self.username,
            session_id=self.session_id,
            session_key=self.session_id or unrecorded_key(credential.hash),
            via=credential.via,
            credential_hash=credential.hash,
            school=self.school,
            web=credential.web or self.web,
            upstream=self.upstream,
            token_ends_at=self.token_ends_at,
        )

    def ttl(self, now: float) -> float:
        ttl = max(settings.SESSION_CHECK_SECONDS, settings.OUTAGE_GRACE_SECONDS, 1)
        return max(1.0, min(ttl, self.web_since + WEB_SESSION_SECONDS - now))


class Lookup(NamedTuple):
    """What the store knows of a credential: its session, whether that was ended, and the current
    word of `refusals`."""

    session: CachedSession | None
    ended: bool
    refusals: str


def look_up(credential_hash: str) -> Lookup:
    """In one round trip. Nothing is known while the store cannot be reached."""
    names = [_session_key(credential_hash), _ended_key(credential_hash), _REFUSALS]
    try:
        stored = store.get_many(names)
    except StoreUnavailable:
        return Lookup(None, ended=False, refusals="")
    session = decode(stored.get(names[0]), credential_hash)
    return Lookup(session, names[1] in stored, stored.get(_REFUSALS, b"").decode())


def read(credential_hash: str) -> CachedSession | None:
    """The cached session of a credential; None also when the store cannot be reached."""
    return look_up(credential_hash).session


def current_refusals() -> str:
    """The current word. Read it before the database is asked whether an account is refused."""
    try:
        return (store.get(_REFUSALS) or b"").decode()
    except StoreUnavailable:
        return ""


def remember(session: CachedSession, *credential_hashes: str) -> None:
    """Cache a session for these credentials. Without the store, the next request asks upstream."""
    for credential_hash in credential_hashes:
        if session.session_id is None:
            _list_unrecorded(session.account_id, credential_hash)
        _put(session, credential_hash, session.ttl(time.time()))


def update(credential_hash: str, upstream: UpstreamSession) -> None:
    """Put upstream's newest answer into a cached session, if it is cached."""
    session = read(credential_hash)
    if session is not None and session.upstream.user_id == upstream.user_id:
        remember(replace(session, upstream=upstream), credential_hash)


def postpone_check(session: CachedSession, credential_hash: str) -> CachedSession:
    """The session with its next check RETRY_SECONDS from now; cached if the store is there."""
    now = time.time()
    later = replace(session, retry_at=now + RETRY_SECONDS)
    _put(later, credential_hash, session.validated_at + settings.OUTAGE_GRACE_SECONDS - now)
    return later


def check_again(*credential_hashes: str) -> None:
    """The next request with one of these credentials asks upstream. Unlike what is forgotten, the
    cached cookies end with the session."""
    for credential_hash in credential_hashes:
        session = read(credential_hash)
        if session is not None:
            remember(replace(session, validated_at=0.0, retry_at=0.0), credential_hash)


def replace_credential(replaced: str, credential_hash: str) -> None:
    """End one credential of a session; what was cached for it is cached for another, and checked
    again."""
    session = read(replaced)
    end(replaced)
    if session is not None:
        remember(session, credential_hash)
        check_again(credential_hash)


def forget(*credential_hashes: str) -> None:
    """Remove sessions from the cache; the next request with one asks upstream."""
    with suppress(StoreUnavailable):
        store.delete(*map(_session_key, credential_hashes))


def end(*credential_hashes: str) -> None:
    """Remove sessions that were ended, so that no request on its way can cache them again."""
    with suppress(StoreUnavailable):
        for credential_hash in credential_hashes:
            store.put(_ended_key(credential_hash), b"1", WEB_SESSION_KEPT_SECONDS)
            store.delete(_session_key(credential_hash))


def begin(*credential_hashes: str) -> None:
    """Forget what is known of these credentials: upstream has just issued them."""
    with suppress(StoreUnavailable):
        store.delete(*map(_session_key, credential_hashes), *map(_ended_key, credential_hashes))


def change_refusals() -> None:
    """An account was suspended or erased: each session asks the database once."""
    with suppress(StoreUnavailable):
        store.put(_REFUSALS, secrets.token_hex(8).encode(), 24 * 3600)


def encode(session: CachedSession, credential_hash: str) -> bytes:
    return seal(_PURPOSE, credential_hash, orjson.dumps(astuple(session)))


def decode(sealed: bytes | None, credential_hash: str) -> CachedSession | None:
    """The cached session; None for None, and where the encryption key was removed."""
    opened = unseal(_PURPOSE, credential_hash, sealed)
    if opened is None:
        return None
    account_id, username, school, session_id, web, upstream, *rest = orjson.loads(opened)
    return CachedSession(
        account_id,
        username,
        school,
        session_id,
        WebSession(*web),
        UpstreamSession(*upstream),
        *rest,
    )


def _put(session: CachedSession, credential_hash: str, seconds: float) -> None:
    with suppress(StoreUnavailable):
        store.put(_session_key(credential_hash), encode(session, credential_hash), seconds)


def _session_key(credential_hash: str) -> str:
    return f"session:{credential_hash}"


def _ended_key(credential_hash: str) -> str:
    return f"ended:{credential_hash}"


def unrecorded_key(credential_hash: str) -> str:
    """The session key of such a session."""
    return f"pair-{credential_hash[:32]}"


def _list_unrecorded(account_id: int, credential_hash: str) -> None:
    """Make the session one of those that `unrecorded_of` returns."""
    value = credential_hash.encode()
    with suppress(StoreUnavailable):
        for name in _unrecorded_names(account_id):
            if store.add(name, value, WEB_SESSION_KEPT_SECONDS) or store.get(name) == value:
                return


def unrecorded_of(account_id: int) -> list[str]:
    """The credential hashes of the account's sessions without a record that are cached, or were."""
    try:
        return [value.decode() for value in store.get_many(_unrecorded_names(account_id)).values()]
    except StoreUnavailable:
        return []


def _unrecorded_names(account_id: int) -> list[str]:
    return [f"unrecorded:{account_id}:{number}" for number in range(MAX_SESSIONS)]
