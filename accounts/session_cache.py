"""Validated sessions, cached in the store and encrypted.

`session:<credential hash>` holds the session. `children:<account id>` holds a guardian's children,
which a look-up brings along. `ended:<credential hash>` marks it as ended, because
a request that was on its way may cache it again. `suspended:<account id>` marks an account that
may be suspended: the database says whether it is. `watches:<account id>` marks one that has a watch
(`schoolproxy.services.watch`).
"""

import time
from collections import OrderedDict
from contextlib import suppress
from dataclasses import astuple, dataclass, field, replace

import orjson
from django.conf import settings

from accounts.callers import Caller, CredentialHint
from accounts.cookies import Credential
from accounts.encryption import seal, unseal
from accounts.errors import StoreUnavailable
from accounts.outbox import called_in_server
from accounts.stores import store
from upstream.records import UpstreamSession, WebSession

# A web session lasts about an hour; its cookies must leave the cache before.
WEB_SESSION_SECONDS = 55 * 60
# Longer than any web session lasts, so that a cookie pair stays logged out.
ENDED_SECONDS = 6 * 3600
# After a failed check, the earlier answer is used for so long before the next one.
RETRY_SECONDS = 5.0
REMEMBERED_HINTS = 20_000
# Changes with the fields of `CachedSession`: processes of another version do not read the entry.
_PURPOSE = "session entry, 9 fields"


@dataclass(frozen=True, slots=True)
class CachedSession:
    """One validated session. Times are Unix seconds.

    `web_since` is when the cookies were issued, or first seen; `token_ends_at` is when the access
    token expires (None for a session without a record); `retry_at` is when to check again after
    upstream could not be asked.
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
    retry_at: float = 0.0

    def is_fresh(self, now: float) -> bool:
        """Whether upstream need not be asked yet."""
        return now < max(self.validated_at + settings.SESSION_CHECK_SECONDS, self.retry_at)

    def within_outage_grace(self, now: float) -> bool:
        """Whether it was valid recently enough to be used while upstream cannot be asked."""
        return now < self.validated_at + settings.OUTAGE_GRACE_SECONDS

    def caller(self, credential: Credential, *, watches: bool = False) -> Caller:
        return Caller(
            account_id=self.account_id,
            username=self.username,
            session_id=self.session_id,
            session_key=self.session_id or f"pair-{credential.hash[:32]}",
            via=credential.via,
            credential_hash=credential.hash,
            school=self.school,
            web=credential.web or self.web,
            upstream=self.upstream,
            token_ends_at=self.token_ends_at,
            watches=watches,
        )

    def ttl(self, now: float) -> float:
        ttl = max(settings.SESSION_CHECK_SECONDS, settings.OUTAGE_GRACE_SECONDS, 1)
        return max(1.0, min(ttl, self.web_since + WEB_SESSION_SECONDS - now))


def keys_of(credential_hash: str) -> list[str]:
    """The keys of the cached session, and of the mark that it was ended."""
    return [f"session:{credential_hash}", ended_key(credential_hash)]


def ended_key(credential_hash: str) -> str:
    return f"ended:{credential_hash}"


def suspended_key(account_id: int) -> str:
    return f"suspended:{account_id}"


def watches_key(account_id: int) -> str:
    return f"watches:{account_id}"


def marks_of(account_id: int) -> list[str]:
    """The keys that say whether an account may be suspended, and whether it has a watch."""
    return [suspended_key(account_id), watches_key(account_id)]


def children_key(account_id: int) -> str:
    """The key of a guardian's children (`accounts.services.children`)."""
    return f"children:{account_id}"


@called_in_server
def mark_suspended(account_id: int) -> None:
    """The next request of the account asks the database whether it is suspended."""
    with suppress(StoreUnavailable):
        store().set(suspended_key(account_id), b"1", ENDED_SECONDS)


@called_in_server
def clear_suspended(account_id: int) -> None:
    with suppress(StoreUnavailable):
        store().delete(suspended_key(account_id))


def encode(session: CachedSession, credential_hash: str) -> bytes:
    return seal(_PURPOSE, credential_hash, orjson.dumps(astuple(session)))


def decode(sealed: bytes | None, credential_hash: str) -> CachedSession | None:
    """The cached session; None for None, and where the encryption key was removed."""
    opened = unseal(_PURPOSE, credential_hash, sealed)
    if opened is None:
        return None
    account_id, username, school, session_id, web, upstream, *times = orjson.loads(opened)
    return CachedSession(
        account_id,
        username,
        school,
        session_id,
        WebSession(*web),
        UpstreamSession(*upstream),
        *times,
    )


def remember(session: CachedSession, credential_hash: str) -> None:
    """Cache a session. Without the store, the next request asks upstream again."""
    with suppress(StoreUnavailable):
        store().set(
            f"session:{credential_hash}", encode(session, credential_hash), session.ttl(time.time())
        )


def update(credential_hash: str, upstream: UpstreamSession) -> None:
    """Put upstream's newest answer into a cached session, if it is cached."""
    session = read(credential_hash)
    if session is not None and session.upstream.user_id == upstream.user_id:
        remember(replace(session, upstream=upstream), credential_hash)


def replace_web(credential_hash: str, web: WebSession) -> None:
    """Put new cookies into a cached session, if it is cached."""
    session = read(credential_hash)
    if session is not None:
        remember(replace(session, web=web, web_since=time.time()), credential_hash)


def postpone_check(session: CachedSession, credential_hash: str) -> CachedSession:
    """The session with its next check RETRY_SECONDS from now; cached if the store is there."""
    now = time.time()
    later = replace(session, retry_at=now + RETRY_SECONDS)
    ttl = max(1.0, session.validated_at + settings.OUTAGE_GRACE_SECONDS - now)
    with suppress(StoreUnavailable):
        store().set(f"session:{credential_hash}", encode(later, credential_hash), ttl)
    return later


def forget(*credential_hashes: str) -> None:
    """Remove sessions from the cache; the next request with one asks upstream."""
    with suppress(StoreUnavailable):
        store().delete(*(f"session:{each}" for each in credential_hashes))


@called_in_server
def end(credential_hash: str) -> None:
    """Remove a session for good: it was ended, by its owner or by staff."""
    with suppress(StoreUnavailable):
        store().set(ended_key(credential_hash), b"1", ENDED_SECONDS)
        store().delete(f"session:{credential_hash}")


def has_ended(credential_hash: str) -> bool:
    """Whether the session was ended; False also when the store cannot be reached."""
    with suppress(StoreUnavailable):
        return store().get(ended_key(credential_hash)) is not None
    return False


def clear_ended(*credential_hashes: str) -> None:
    """Remove the marks of ended sessions: upstream has just issued these credentials."""
    with suppress(StoreUnavailable):
        store().delete(*map(ended_key, credential_hashes))


def read(credential_hash: str) -> CachedSession | None:
    """The cached session of a credential; None also when the store cannot be reached."""
    with suppress(StoreUnavailable):
        return decode(store().get(f"session:{credential_hash}"), credential_hash)
    return None


# The owners of credentials that this process has seen. With a hint, one round trip can fetch the
# session together with the owner's request count and cached answer. The session that it fetches
# decides whether the hint was right.
credential_hints: OrderedDict[str, CredentialHint] = OrderedDict()


def remember_hint(credential_hash: str, hint: CredentialHint) -> None:
    """Remember whose a credential is, and forget the oldest of too many."""
    credential_hints[credential_hash] = hint
    if len(credential_hints) > REMEMBERED_HINTS:
        credential_hints.popitem(last=False)
