"""What is remembered of a validated session, sealed, in the store.

Keys carry the credential's keyed hash: `session:` the entry, `ended:` a mark that outlives every
entry that a logout may have crossed. `suspended:` carries an account: staff closed it, and entries
made before must not count.
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
from accounts.stores import store
from upstream.records import UpstreamSession, WebSession

# The web session lives for about an hour; an entry with its cookies must be gone before.
WEB_SESSION_SECONDS = 55 * 60
# Longer than any web session, so that a cookie pair that was logged out stays out.
ENDED_SECONDS = 6 * 3600
# How long a failed check is not tried again while an earlier answer still counts.
RETRY_SECONDS = 5.0
REMEMBERED_HINTS = 20_000


@dataclass(frozen=True, slots=True)
class CachedSession:
    """One validated session. Times are Unix seconds.

    `web_since` is when the cookies were made by translation, or first seen; `retry_at` is set
    when upstream could not be asked, and puts the next check off.
    """

    account_id: int
    username: str
    school: str
    session_id: str | None
    web: WebSession = field(repr=False)
    upstream: UpstreamSession = field(repr=False)
    validated_at: float
    web_since: float
    retry_at: float = 0.0

    def is_fresh(self, now: float) -> bool:
        """Upstream need not be asked again yet."""
        return now < max(self.validated_at + settings.SESSION_CHECK_SECONDS, self.retry_at)

    def within_outage_grace(self, now: float) -> bool:
        """Valid recently enough to count while upstream cannot be asked."""
        return now < self.validated_at + settings.OUTAGE_GRACE_SECONDS

    def caller(self, credential: Credential) -> Caller:
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
            confirmed=self.retry_at == 0.0,
        )

    def seconds_to_keep(self, now: float) -> float:
        keep = max(settings.SESSION_CHECK_SECONDS, settings.OUTAGE_GRACE_SECONDS, 1)
        return max(1.0, min(keep, self.web_since + WEB_SESSION_SECONDS - now))


def keys_of(credential_hash: str) -> list[str]:
    """The keys to ask for: the entry, and the mark that it has ended."""
    return [f"session:{credential_hash}", ended_key(credential_hash)]


def ended_key(credential_hash: str) -> str:
    """The key of the mark that a credential has ended."""
    return f"ended:{credential_hash}"


def suspended_key(account_id: int) -> str:
    return f"suspended:{account_id}"


def encode(entry: CachedSession, credential_hash: str) -> bytes:
    return seal("session entry", credential_hash, orjson.dumps(astuple(entry)))


def decode(sealed: bytes | None, credential_hash: str) -> CachedSession | None:
    """The entry, or None: nothing there, or sealed with a key that is gone."""
    opened = unseal("session entry", credential_hash, sealed)
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


def remember(entry: CachedSession, credential_hash: str) -> None:
    """Keep an entry. Without the store, the next request asks upstream again."""
    with suppress(StoreUnavailable):
        store().set(
            f"session:{credential_hash}",
            encode(entry, credential_hash),
            entry.seconds_to_keep(time.time()),
        )


def update(credential_hash: str, upstream: UpstreamSession) -> None:
    """Put what upstream has just said of a session's owner into its entry, if there is one."""
    entry = read(credential_hash)
    if entry is not None and entry.upstream.user_id == upstream.user_id:
        remember(replace(entry, upstream=upstream), credential_hash)


def postpone_check(entry: CachedSession, credential_hash: str) -> CachedSession:
    """The same entry, not to be checked again for a moment; kept where the store allows."""
    now = time.time()
    later = replace(entry, retry_at=now + RETRY_SECONDS)
    ttl = max(1.0, entry.validated_at + settings.OUTAGE_GRACE_SECONDS - now)
    with suppress(StoreUnavailable):
        store().set(f"session:{credential_hash}", encode(later, credential_hash), ttl)
    return later


def forget(*credential_hashes: str) -> None:
    """Drop entries: upstream says that the sessions are over."""
    with suppress(StoreUnavailable):
        store().delete(*(f"session:{each}" for each in credential_hashes))


def end(credential_hash: str) -> None:
    """Drop an entry for good: its owner has logged out."""
    with suppress(StoreUnavailable):
        store().set(ended_key(credential_hash), b"1", ENDED_SECONDS)
        store().delete(f"session:{credential_hash}")


def has_ended(credential_hash: str) -> bool:
    """Whether its owner has logged out; False also while the store is away."""
    with suppress(StoreUnavailable):
        return store().get(f"ended:{credential_hash}") is not None
    return False


def clear_ended(*credential_hashes: str) -> None:
    """These credentials are good again: upstream has just issued them."""
    with suppress(StoreUnavailable):
        store().delete(*map(ended_key, credential_hashes))


def read(credential_hash: str) -> CachedSession | None:
    """The entry of a credential; None also while the store is away."""
    with suppress(StoreUnavailable):
        return decode(store().get(f"session:{credential_hash}"), credential_hash)
    return None


class CredentialHints:
    """The owners of the credentials that this process has seen last.

    With a hint, one round trip can fetch the session together with the owner's request count and
    cached answer. The session that it fetches decides whether the hint was right.
    """

    def __init__(self) -> None:
        self._known: OrderedDict[str, CredentialHint] = OrderedDict()

    def get(self, credential_hash: str) -> CredentialHint | None:
        return self._known.get(credential_hash)

    def drop(self, credential_hash: str) -> None:
        """Forget an invalid credential, so that its requests do not count against the account."""
        self._known.pop(credential_hash, None)

    def put(self, credential_hash: str, hint: CredentialHint) -> None:
        self._known[credential_hash] = hint
        if len(self._known) > REMEMBERED_HINTS:
            with suppress(KeyError):  # another thread has cleared it
                self._known.popitem(last=False)

    def clear(self) -> None:
        """Forget all credentials."""
        self._known.clear()


credential_hints = CredentialHints()
