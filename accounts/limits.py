"""Every number of this app that bounds a caller, and the counting of it.

Windows are fixed and begin with their first hit. Counts live in the store: exact across
processes with Redis, and within the one process that may run without. When the store is away,
a limit that `fails_open` lets callers pass; any other falls back to a count of this process.
"""

import ipaddress
import time
from dataclasses import dataclass
from functools import lru_cache

from django.conf import settings

from accounts.addresses import parsed_address
from accounts.errors import StoreUnavailable, TooManyRequests
from accounts.stores import fallback, store


@dataclass(frozen=True, slots=True)
class Limit:
    """`count` in `seconds`. `fails_open`: whether callers pass while the store is away."""

    count: int
    seconds: int
    fails_open: bool = True


LIMITS = {
    # Failures, by account and client network: the owner elsewhere is never locked out.
    "login": Limit(5, 30 * 60, fails_open=False),
    # Failures, by address: a whole school sits behind one.
    "login_address": Limit(300, 5 * 60, fails_open=False),
    "refresh": Limit(30, 60),
    "reads": Limit(600, 60),
    "writes": Limit(120, 60),
    # Reads that ask to pass the cache by.
    "fresh_reads": Limit(12, 60),
    # Calendar feeds, by address: who guesses must not be fast.
    "feed_reads": Limit(60, 60, fails_open=False),
    # Shared notes, by address, for the same reason.
    "share_reads": Limit(60, 60, fails_open=False),
    # The rest by account.
    "messages": Limit(30, 30),
    "search": Limit(30, 60, fails_open=False),
    "friend_requests": Limit(30, 60 * 60),
    "invites": Limit(30, 60 * 60),
    # Direct conversations with people who are no friends.
    "new_dms": Limit(20, 24 * 60 * 60),
    "uploads": Limit(10, 60 * 60),
    "reports": Limit(30, 60 * 60),
    "exports": Limit(5, 60 * 60),
}
MAX_SESSIONS = 50
PICTURE_BYTES = 5 * 1024 * 1024
PICTURE_PIXELS = 16_000_000
PICTURE_NAME_BYTES = 24
# Decoded at once in a process, and how long others wait for a turn.
PICTURE_SLOTS = 2
PICTURE_WAIT_SECONDS = 5.0
ATTEMPT_SECONDS = 300
ATTEMPT_TRIES = 3
PREVIOUS_PAIR_SECONDS = 60


def limit(name: str) -> Limit:
    """The limit, with the operator's override (`LIMITS`: `name=count/seconds`)."""
    return _limit(name, settings.LIMITS.get(name, ""))


@lru_cache(maxsize=64)
def _limit(name: str, override: str) -> Limit:
    default = LIMITS[name]
    if not override:
        return default
    count, _, seconds = override.partition("/")
    return Limit(int(count), int(seconds or default.seconds), default.fails_open)


def spend(name: str, key: str) -> None:
    """Count one against a limit. Raises `TooManyRequests` when it is reached."""
    if not settings.RATE_LIMITS:
        return
    rule = limit(name)
    try:
        count, left = store().hit(f"{name}:{key}", rule.seconds)
    except StoreUnavailable:
        if rule.fails_open:
            return
        count, left = fallback().hit(f"{name}:{key}", rule.seconds)
    if count > rule.count:
        raise TooManyRequests(left)


def refund(name: str, key: str) -> None:
    """Take back what `spend` counted: it was no failure after all."""
    if not settings.RATE_LIMITS:
        return
    try:
        store().refund(f"{name}:{key}")
    except StoreUnavailable:
        fallback().refund(f"{name}:{key}")


def network_of(address: str) -> str:
    """What counts as one client: an IPv4 address, or the /64 of an IPv6 one."""
    parsed = parsed_address(address)
    if parsed is None:
        return address[:45]
    if parsed.version == 4:
        return str(parsed)
    return str(ipaddress.ip_network((parsed, 64), strict=False))


def kind_of(method: str | None) -> str:
    """The limit that a request of this method counts against."""
    return "reads" if method in ("GET", "HEAD") else "writes"


def window_counter(name: str, account_id: int) -> str | None:
    """The counter of the current window, named by its number; None when limits are off."""
    if not settings.RATE_LIMITS:
        return None
    return f"{name}:{account_id}:{int(time.time()) // limit(name).seconds}"
