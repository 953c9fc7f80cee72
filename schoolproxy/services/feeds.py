"""Calendar feeds: secret addresses for programs that cannot sign in.

A feed belongs to an account, and calls upstream with the newest login of the account whose token
is still valid. Without one, or when upstream fails, it serves the last lessons that it fetched,
with an entry that says so. These are stored encrypted, at most 30 days.
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

from accounts.addresses import network_of
from accounts.callers import Caller
from accounts.contribution_types import Purged
from accounts.encryption import seal, unseal
from accounts.errors import AccountSuspended, NotSignedIn
from accounts.rate_limits import spend
from accounts.services.background import with_account_session
from accounts.services.identity import ask_upstream
from accounts.single_flight import single_flight
from schoolproxy import limits
from schoolproxy.errors import FeedUnknown
from schoolproxy.models import CalendarFeed
from schoolproxy.models.feeds import SIGNED_OUT, UPSTREAM_AWAY, hash_of
from schoolproxy.services.calendar.entries import failure_notice, lesson_entries
from schoolproxy.services.calendar.weeks import calendar_read, render_entries, weeks_from_now
from schoolproxy.services.schedule import Lesson
from upstream.errors import UpstreamError, UpstreamTimeout


@dataclass(frozen=True, slots=True)
class Content:
    """What a feed shows: lessons and when they were fetched (None: there are none), and why they
    could not be updated (empty: they were)."""

    lessons: list[Lesson] | None
    fetched_at: datetime | None
    failure: str = ""


def token_of_feed(account_id: int) -> str | None:
    feed = CalendarFeed.objects.filter(pk=account_id).first()
    return feed.token if feed else None


def make_feed(account_id: int) -> str:
    """Creates the account's feed, or gives it a new address, and returns the token in it.

    A single statement, so that of several at once the last one wins.
    """
    token = secrets.token_urlsafe(limits.FEED_TOKEN_BYTES)
    feed = CalendarFeed(account_id=account_id, created_at=timezone.now())
    feed.set_token(token)
    CalendarFeed.objects.bulk_create(
        [feed],
        update_conflicts=True,
        unique_fields=["account"],
        update_fields=["address_hash", "address", "created_at", "asked_at"],
    )
    return token


def drop_feed(account_id: int) -> None:
    CalendarFeed.objects.filter(pk=account_id).delete()


def read_feed(*, token: str, client_address: str) -> bytes:
    """The calendar of the feed with this token.

    Raises: FeedUnknown (no such feed, or its account is suspended), TooManyRequests, and upstream's
    errors when no lessons are stored.
    """
    spend(limits.FEED_READS, network_of(client_address))
    feeds = CalendarFeed.objects.select_related("account").defer("address")
    feed = feeds.filter(address_hash=hash_of(token)).first()
    if feed is None or feed.account.is_suspended:
        raise FeedUnknown
    now = timezone.now()
    content = _stored_content(feed, now)
    if not _is_fresh(feed, content, now):
        content = _refresh(feed, content)
    entries = lesson_entries(content.lessons or [], school=feed.account.school)
    if content.failure:
        entries.append(failure_notice(content.failure, now=now, since=content.fetched_at))
    return render_entries(feed.pk, entries)


def _is_fresh(feed: CalendarFeed, content: Content, now: datetime) -> bool:
    if feed.asked_at is None or (content.lessons is None and content.failure != SIGNED_OUT):
        return False
    wait = limits.FEED_RETRY_SECONDS if content.failure else limits.FEED_REFRESH_SECONDS
    return now - feed.asked_at < timedelta(seconds=wait)


def _refresh(feed: CalendarFeed, stored: Content) -> Content:
    try:
        return single_flight(
            f"feed:{feed.pk}", lambda: _fetch(feed, stored), wait=2 * limits.WAIT_SECONDS
        )
    except AccountSuspended:
        raise FeedUnknown from None
    except TimeoutError:
        raise UpstreamTimeout from None


def _fetch(feed: CalendarFeed, stored: Content) -> Content:
    now = timezone.now()
    try:
        lessons = with_account_session(feed.pk, _fetch_lessons)
    except (NotSignedIn, UpstreamError) as error:
        signed_out = isinstance(error, NotSignedIn)
        if stored.lessons is None and not signed_out:
            raise  # an empty calendar would hide the failure
        failure = SIGNED_OUT if signed_out else UPSTREAM_AWAY
        CalendarFeed.objects.filter(pk=feed.pk).update(asked_at=now, trouble=failure)
        return Content(stored.lessons, stored.fetched_at, failure)
    changed = {"asked_at": now, "trouble": ""}
    if settings.SCHOOL_CACHE_SECONDS:  # at 0, no school data is stored
        compressed = zlib.compress(orjson.dumps(lessons))
        changed |= {"weeks": seal("calendar weeks", str(feed.pk), compressed), "weeks_at": now}
    CalendarFeed.objects.filter(pk=feed.pk).update(**changed)
    return Content(lessons, now)


def _fetch_lessons(caller: Caller) -> list[Lesson]:
    read = calendar_read(weeks_from_now())
    lessons: list[Lesson] = ask_upstream(caller, partial(read.fetch, caller))["lessons"]
    return lessons


def _stored_content(feed: CalendarFeed, now: datetime) -> Content:
    """The stored lessons, unless they are too old or cannot be decrypted."""
    if feed.weeks is None or feed.weeks_at is None or feed.weeks_at < _oldest(now):
        return Content(None, None, feed.trouble)
    decrypted = unseal("calendar weeks", str(feed.pk), bytes(feed.weeks))
    if decrypted is None or not settings.SCHOOL_CACHE_SECONDS:
        return Content(None, None, feed.trouble)
    return Content(orjson.loads(zlib.decompress(decrypted)), feed.weeks_at, feed.trouble)


def _oldest(now: datetime) -> datetime:
    return now - timedelta(days=limits.FEED_KEPT_DAYS)


def purge_old_weeks(
    *, dry_run: bool = False, progress: Callable[[Purged], None] = lambda _: None
) -> Purged:
    """Deletes stored lessons after 30 days; the feeds themselves stay. Safe to run at any time."""
    stored = CalendarFeed.objects.filter(weeks__isnull=False)
    old = stored.filter(weeks_at__lt=_oldest(timezone.now()))
    found = Purged(noun="calendar feeds", done="emptied", seen=stored.count())
    found.expired = old.count() if dry_run else old.update(weeks=None, weeks_at=None)
    progress(found)
    return found
