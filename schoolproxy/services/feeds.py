"""Calendar feeds: a secret address for programs that cannot sign in.

A feed belongs to an account. It asks the school with the newest login of that account whose token
lives; without one, and while upstream fails, it serves the last good weeks and says so in an
entry. These are kept sealed, at most 30 days.
"""

import secrets
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial

import orjson
from django.conf import settings
from django.utils import timezone

from accounts.callers import Caller
from accounts.encryption import seal, unseal
from accounts.errors import AccountSuspended, NotSignedIn
from accounts.limits import network_of, spend
from accounts.registry import Purged
from accounts.services.background import with_account_session
from accounts.services.identity import ask_upstream
from accounts.single_flight import single_flight
from schoolproxy.errors import FeedUnknown
from schoolproxy.limits import (
    FEED_KEPT_DAYS,
    FEED_REFRESH_SECONDS,
    FEED_RETRY_SECONDS,
    FEED_TOKEN_BYTES,
    WAIT_SECONDS,
)
from schoolproxy.models import CalendarFeed
from schoolproxy.models.feeds import SIGNED_OUT, UPSTREAM_AWAY, hash_of
from schoolproxy.services.calendar.entries import entries_of, notice
from schoolproxy.services.calendar.weeks import calendar_read, weeks_from_now, whole_calendar
from schoolproxy.services.schedule import Lesson
from upstream.errors import UpstreamError, UpstreamTimeout


@dataclass(frozen=True, slots=True)
class Known:
    """What a feed can show: lessons and when they were read (None: none are kept), and what is
    wrong (empty: nothing)."""

    lessons: list[Lesson] | None
    read_at: datetime | None
    trouble: str = ""


def token_of_feed(account_id: int) -> str | None:
    """The secret in the address of the account's feed; None where it has none."""
    feed = CalendarFeed.objects.filter(pk=account_id).first()
    return feed.token if feed else None


def make_feed(account_id: int) -> str:
    """A new address; the one before is good for nothing from now on. Returns its secret.

    One statement: of many at once, the last one's address is the feed's.
    """
    token = secrets.token_urlsafe(FEED_TOKEN_BYTES)
    feed = CalendarFeed(account_id=account_id, created_at=timezone.now())
    feed.keep_token(token)
    CalendarFeed.objects.bulk_create(
        [feed],
        update_conflicts=True,
        unique_fields=["account"],
        update_fields=["address_hash", "address", "created_at", "asked_at"],
    )
    return token


def drop_feed(account_id: int) -> None:
    """No address any more, and nothing kept for it. Idempotent."""
    CalendarFeed.objects.filter(pk=account_id).delete()


def read_feed(*, token: str, client_address: str) -> bytes:
    """The calendar behind an address.

    Raises: FeedUnknown (no such address, or its account is closed), TooManyRequests, and
    upstream's errors when nothing is kept that could be shown instead.
    """
    spend("feed_reads", network_of(client_address))
    feed = (
        CalendarFeed.objects.select_related("account")
        .defer("address")
        .filter(address_hash=hash_of(token))
        .first()
    )
    if feed is None or feed.account.is_suspended:
        raise FeedUnknown
    now = timezone.now()
    known = _kept(feed, now)
    if not _is_fresh(feed, known, now):
        known = _refresh(feed, known)
    entries = entries_of(known.lessons or [], school=feed.account.school)
    if known.trouble:
        entries.append(notice(known.trouble, now=now, since=known.read_at))
    return whole_calendar(feed.pk, entries)


def _is_fresh(feed: CalendarFeed, known: Known, now: datetime) -> bool:
    if feed.asked_at is None or (known.lessons is None and known.trouble != SIGNED_OUT):
        return False
    wait = FEED_RETRY_SECONDS if known.trouble else FEED_REFRESH_SECONDS
    return now - feed.asked_at < timedelta(seconds=wait)


def _refresh(feed: CalendarFeed, kept: Known) -> Known:
    """Ask the school; of many who read the feed at once, one does."""
    try:
        return single_flight(f"feed:{feed.pk}", lambda: _ask(feed, kept), wait=2 * WAIT_SECONDS)
    except AccountSuspended:
        raise FeedUnknown from None
    except TimeoutError:
        raise UpstreamTimeout from None


def _ask(feed: CalendarFeed, kept: Known) -> Known:
    now = timezone.now()
    try:
        lessons = with_account_session(feed.pk, _fetch_lessons)
    except (NotSignedIn, UpstreamError) as error:
        signed_out = isinstance(error, NotSignedIn)
        if kept.lessons is None and not signed_out:
            raise  # upstream's trouble is never an empty calendar
        trouble = SIGNED_OUT if signed_out else UPSTREAM_AWAY
        CalendarFeed.objects.filter(pk=feed.pk).update(asked_at=now, trouble=trouble)
        return Known(kept.lessons, kept.read_at, trouble)
    changed = {"asked_at": now, "trouble": ""}
    if settings.SCHOOL_CACHE_SECONDS:  # at 0, nothing personal is kept, here neither
        packed = zlib.compress(orjson.dumps(lessons))
        changed |= {"weeks": seal("calendar weeks", str(feed.pk), packed), "weeks_at": now}
    CalendarFeed.objects.filter(pk=feed.pk).update(**changed)
    return Known(lessons, now)


def _fetch_lessons(caller: Caller) -> list[Lesson]:
    read = calendar_read(weeks_from_now())
    lessons: list[Lesson] = ask_upstream(caller, partial(read.fetch, caller))["lessons"]
    return lessons


def _kept(feed: CalendarFeed, now: datetime) -> Known:
    """The last good weeks, while they may be shown and can be opened."""
    if feed.weeks is None or feed.weeks_at is None or feed.weeks_at < _oldest(now):
        return Known(None, None, feed.trouble)
    opened = unseal("calendar weeks", str(feed.pk), bytes(feed.weeks))
    if opened is None or not settings.SCHOOL_CACHE_SECONDS:
        return Known(None, None, feed.trouble)
    return Known(orjson.loads(zlib.decompress(opened)), feed.weeks_at, feed.trouble)


def _oldest(now: datetime) -> datetime:
    return now - timedelta(days=FEED_KEPT_DAYS)


def purge_old_weeks(
    *, dry_run: bool = False, progress: Callable[[Purged], None] = lambda _: None
) -> Purged:
    """Delete kept weeks after 30 days; the address stays its owner's. Safe to run at any time."""
    kept = CalendarFeed.objects.filter(weeks__isnull=False)
    old = kept.filter(weeks_at__lt=_oldest(timezone.now()))
    found = Purged(noun="calendar feeds", done="emptied", seen=kept.count())
    found.expired = old.count() if dry_run else old.update(weeks=None, weeks_at=None)
    progress(found)
    return found
