"""What a feed shows, from the lessons that were fetched or are stored."""

import zlib
from base64 import b64decode, b64encode
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import chain
from typing import Any

import orjson
from django.conf import settings
from django.utils import timezone

from accounts.encryption import SecretUnreadable, values_for_update
from schoolproxy import limits
from schoolproxy.models.feeds import Feed
from schoolproxy.services.calendar.entries import shown_fields
from schoolproxy.services.calendar.history import (
    KnownLesson,
    Week,
    WeeksRead,
    follow,
    from_values,
    to_values,
    weeks_read,
)
from schoolproxy.services.calendar.weeks import owner_of_entries, weeks_after
from schoolproxy.services.schedule import Lesson


@dataclass(frozen=True, slots=True)
class Content:
    """What a feed shows: lessons and when they were fetched (None: there are none), and why they
    could not be updated (empty: they were)."""

    lessons: list[KnownLesson] | None
    fetched_at: datetime | None
    failure: str = ""
    child: str = ""


def stored_content(feed: Feed, now: datetime) -> Content:
    """The stored lessons, unless they are too old or cannot be decrypted."""
    at = feed.weeks_at
    if at is None or at < oldest_kept(now) or not settings.SCHOOL_CACHE_SECONDS:
        return Content(None, None, feed.trouble)
    try:
        stored = _from_text(feed.weeks)
    except SecretUnreadable:
        return Content(None, None, feed.trouble)
    # Older versions stored only the lessons.
    named = len(stored) == 2 and isinstance(stored[0], list)
    lessons, child = stored if named else (stored, "")
    return Content(_stored_lessons(feed, lessons, at), at, feed.trouble, child)


def _stored_lessons(feed: Feed, lessons: list[Lesson], at: datetime) -> list[KnownLesson]:
    """The lessons that were fetched at this time, with what is known of them. The version before
    may have fetched them, and written no history."""
    try:
        known_at, values = _from_text(feed.history) if feed.history else (0, [])
    except SecretUnreadable:
        known_at, values = 0, []
    known = from_values(values)
    if known_at == at.timestamp():
        return known
    read = dict.fromkeys(weeks_after(timezone.localdate(at)), 0)
    return _follow(feed, known, lessons, read, at)


def _to_text(values: list[Any]) -> str:
    return b64encode(zlib.compress(orjson.dumps(values))).decode()


def _from_text(text: str) -> Any:
    return orjson.loads(zlib.decompress(b64decode(text)))


def fetched_content(
    feed: Feed,
    stored: Content,
    weeks: Sequence[Week],
    answers: Sequence[list[Lesson]],
    child: str,
    now: datetime,
) -> tuple[Content, dict[str, Any]]:
    """What the feed shows after upstream has given these answers about these weeks, and the columns
    in which it is stored."""
    lessons = shown_fields(list(chain(*answers)))
    if not settings.SCHOOL_CACHE_SECONDS:  # no school data is stored
        return Content(_follow(feed, (), lessons, {}, None), now, child=child), {}
    read = weeks_read(weeks, answers)
    known = _follow(feed, stored.lessons or (), lessons, read, now)
    feed.weeks = _to_text([lessons, child])
    feed.history = _to_text([now.timestamp(), to_values(known)])
    columns = values_for_update(feed, "weeks", "history") | {"weeks_at": now}
    return Content(known, now, child=child), columns


def oldest_kept(now: datetime) -> datetime:
    """Stored lessons are deleted when they were fetched before this."""
    return now - timedelta(days=limits.FEED_KEPT_DAYS)


def _follow(
    feed: Feed,
    known: Iterable[KnownLesson],
    lessons: list[Lesson],
    read: WeeksRead,
    at: datetime | None,
) -> list[KnownLesson]:
    owner = owner_of_entries(feed.account_id, getattr(feed, "child_id", None))
    return follow(known, lessons, owner=owner, read=read, at=at)
