"""What a feed shows, from the lessons that were fetched or are stored."""

import zlib
from base64 import b64decode, b64encode
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import chain
from typing import Any

import orjson
from django.conf import settings

from accounts.encryption import SecretUnreadable, values_for_update
from schoolproxy import limits
from schoolproxy.models.feeds import Feed
from schoolproxy.services.calendar.dated import (
    Answers,
    DatedEntries,
    dated_from_values,
    dated_to_values,
    follow_dated,
)
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
from schoolproxy.services.calendar.weeks import owner_of_entries
from schoolproxy.services.schedule import Lesson


@dataclass(frozen=True, slots=True)
class Content:
    """What a feed shows: lessons and when they were fetched (None: there are none), and why they
    could not be updated (empty: they were)."""

    lessons: list[KnownLesson] | None
    fetched_at: datetime | None
    failure: str = ""
    child: str = ""
    dated: Mapping[str, DatedEntries] = field(default_factory=dict)


def stored_content(feed: Feed, now: datetime) -> Content:
    """The stored lessons, unless they are too old or cannot be decrypted."""
    at = feed.weeks_at
    if at is None or at < oldest_kept(now) or not settings.SCHOOL_CACHE_SECONDS:
        return Content(None, None, feed.trouble)
    try:
        if feed.history is None:  # stored by 2026.1
            return Content(None, None, feed.trouble)
        _lessons, child = _from_text(feed.weeks)
        _at, history = _from_text(feed.history)
    except SecretUnreadable:
        return Content(None, None, feed.trouble)
    shown = from_values(history) if "lessons" in feed.included else []
    return Content(shown, at, feed.trouble, child, _stored_dated(feed))


def _stored_dated(feed: Feed) -> dict[str, DatedEntries]:
    try:
        values = _from_text(feed.dated) if feed.dated else {}
    except SecretUnreadable:
        values = {}
    return dated_from_values(values, feed.included)


def _to_text(values: Any) -> str:
    return b64encode(zlib.compress(orjson.dumps(values))).decode()


def _from_text(text: str) -> Any:
    return orjson.loads(zlib.decompress(b64decode(text)))


def fetched_content(
    feed: Feed,
    stored: Content,
    weeks: Sequence[Week],
    answers: Sequence[list[Lesson]],
    dated_answers: Answers,
    child: str,
    now: datetime,
) -> tuple[Content, dict[str, Any]]:
    """What the feed shows after upstream has given these answers about these weeks, and the columns
    in which it is stored."""
    lessons = shown_fields(list(chain(*answers)))
    seconds = settings.SCHOOL_CACHE_SECONDS
    dated = follow_dated(
        stored.dated if seconds else {},
        dated_answers,
        owner=_owner(feed),
        at=now if seconds else None,
    )
    if not seconds:  # no school data is stored
        return Content(_follow(feed, (), lessons, {}, None), now, child=child, dated=dated), {}
    read = weeks_read(weeks, answers)
    known = _follow(feed, stored.lessons or (), lessons, read, now)
    feed.weeks = _to_text([lessons, child])
    feed.history = _to_text([now.timestamp(), to_values(known)])
    feed.dated = _to_text(dated_to_values(dated))
    columns = values_for_update(feed, "weeks", "history", "dated") | {"weeks_at": now}
    return Content(known, now, child=child, dated=dated), columns


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
    return follow(known, lessons, owner=_owner(feed), read=read, at=at)


def _owner(feed: Feed) -> str:
    return owner_of_entries(feed.account_id, getattr(feed, "child_id", None))
