"""Calendar feeds: secret addresses for programs that cannot sign in.

A feed belongs to an account, a guardian's to one of the children, and calls upstream with the
newest login of the account whose token is still valid. Without one, or when upstream fails, it
serves the last lessons that it fetched, with an entry that says so. These are stored encrypted, at
most 30 days.
"""

import secrets
from collections.abc import Collection
from dataclasses import replace
from datetime import datetime, timedelta
from functools import partial
from itertools import chain
from typing import Any, NamedTuple

from django.db.models import QuerySet
from django.utils import timezone

from accounts.addresses import network_of
from accounts.errors import AccountSuspended, ChildRequired, ChildUnknown, NotSignedIn
from accounts.purging import Purged
from accounts.services.identity import with_account_session
from accounts.single_flight import single_flight
from limits import spend
from schoolproxy import limits
from schoolproxy.errors import FeedUnknown
from schoolproxy.models import CalendarFeed, ChildCalendarFeed
from schoolproxy.models.feeds import (
    DEFAULT_INCLUDE,
    INCLUDABLE,
    NOTHING_STORED,
    SIGNED_OUT,
    UPSTREAM_AWAY,
    Feed,
    hash_of,
)
from schoolproxy.services.calendar.entries import DATED_AWAY, CalendarEntry, failure_notice
from schoolproxy.services.calendar.feed_answers import ask_for
from schoolproxy.services.calendar.feed_content import (
    Content,
    fetched_content,
    oldest_kept,
    stored_content,
)
from schoolproxy.services.calendar.history import shown_entries
from schoolproxy.services.calendar.weeks import render_entries, weeks_after
from upstream.errors import UpstreamError
from upstream.records import ChosenChild


class FeedAddress(NamedTuple):
    """The token in the address of a feed, what it includes, and what its owner calls it (None: as
    we do)."""

    token: str
    include: list[str]
    name: str | None


def find_feed(account_id: int, child: ChosenChild | None) -> FeedAddress | None:
    feed = _feeds(account_id, child).first()
    return FeedAddress(feed.token, feed.included, feed.name or None) if feed else None


def save_feed(
    account_id: int,
    child: ChosenChild | None,
    include: Collection[str] | None,
    name: str | None = None,
) -> tuple[FeedAddress, bool]:
    """Change what the feed has or is called, and keep its address. Without either, or without a
    feed, make a new address. Also returns whether it is new."""
    changed: dict[str, Any] = {}
    if include is not None:
        # The next program that asks gets what is included now.
        changed |= {"include": _in_order(include), "asked_at": None}
    if name is not None:
        changed["name"] = name
    if changed and _feeds(account_id, child).update(**changed):
        feed = find_feed(account_id, child)
        if feed is not None:
            return feed, False
    token = make_feed(account_id, child, include, name)
    feed = find_feed(account_id, child)
    return feed or FeedAddress(token, list(include or DEFAULT_INCLUDE), name or None), True


def _in_order(include: Collection[str]) -> str:
    return ",".join(word for word in INCLUDABLE if word in include)


def make_feed(
    account_id: int,
    child: ChosenChild | None,
    include: Collection[str] | None = None,
    name: str | None = None,
) -> str:
    """Creates the account's feed, or the one about a child, or gives it a new address, and returns
    the token in it. A feed that is there keeps what it includes and its name.

    A single statement, so that of several at once the last one wins.
    """
    token = secrets.token_urlsafe(limits.FEED_TOKEN_BYTES)
    values = {
        "account_id": account_id,
        "created_at": timezone.now(),
        "include": _in_order(include or DEFAULT_INCLUDE),
        "name": name or "",
    }
    changed = ["address_hash", "address", "created_at", "asked_at"]
    if child is None:
        feed = CalendarFeed(**values)
        feed.set_token(token)
        CalendarFeed.objects.bulk_create(
            [feed], update_conflicts=True, unique_fields=["account"], update_fields=changed
        )
        return token
    about = ChildCalendarFeed(**values, child_id=child.id, org_id=child.org_id)
    about.set_token(token)
    ChildCalendarFeed.objects.bulk_create(
        [about],
        update_conflicts=True,
        unique_fields=["account", "child_id"],
        update_fields=[*changed, "org_id", *NOTHING_STORED],
    )
    return token


def drop_feed(account_id: int, child: ChosenChild | None) -> None:
    _feeds(account_id, child).delete()


def drop_all_feeds(account_id: int) -> None:
    CalendarFeed.objects.filter(pk=account_id).delete()
    ChildCalendarFeed.objects.filter(account=account_id).delete()


def _feeds(
    account_id: int, child: ChosenChild | None
) -> QuerySet[CalendarFeed] | QuerySet[ChildCalendarFeed]:
    if child is None:
        return CalendarFeed.objects.filter(pk=account_id)
    return ChildCalendarFeed.objects.filter(account=account_id, child_id=child.id)


def read_feed(*, token: str, client_address: str) -> bytes:
    """The calendar of the feed with this token.

    Raises: FeedUnknown (no such feed, or its account is suspended or being erased),
    TooManyRequests, and upstream's errors when no lessons are stored.
    """
    spend(limits.FEED_READS, network_of(client_address))
    feed = _find(token)
    if feed is None or feed.account.has_suspension or feed.account.is_being_erased:
        raise FeedUnknown
    now = timezone.now()
    content = stored_content(feed, now)
    if not _is_fresh(feed, content, now):
        content = _refresh(feed, content)
    return render_entries(
        feed.account_id,
        _entries(content, now),
        child=content.child,
        name=feed.name,
        countdowns="countdowns" in feed.included,
    )


def _entries(content: Content, now: datetime) -> list[CalendarEntry]:
    """What is shown of a content, and of failures."""
    dated = content.dated.values()
    known = chain(content.lessons or (), *(source.rows for source in dated))
    entries = shown_entries(known, timezone.localdate(now))
    failure = content.failure or (DATED_AWAY if any(source.failed for source in dated) else "")
    if failure:
        since = content.fetched_at if content.failure else None
        entries.append(failure_notice(failure, now=now, since=since))
    return entries


def _find(token: str) -> CalendarFeed | ChildCalendarFeed | None:
    for model in (CalendarFeed, ChildCalendarFeed):
        feeds = model.objects.select_related("account").defer("address")
        feed = feeds.filter(address_hash=hash_of(token)).first()
        if feed is not None:
            return feed
    return None


def _is_fresh(feed: Feed, content: Content, now: datetime) -> bool:
    if feed.asked_at is None or (content.lessons is None and content.failure != SIGNED_OUT):
        return False
    wait = limits.FEED_RETRY_SECONDS if content.failure else limits.FEED_REFRESH_SECONDS
    return now - feed.asked_at < timedelta(seconds=wait)


def _refresh(feed: CalendarFeed | ChildCalendarFeed, stored: Content) -> Content:
    try:
        return single_flight(
            f"feed:{feed.about}", lambda: _fetch(feed, stored), wait=2 * limits.WAIT_SECONDS
        )
    except AccountSuspended:
        raise FeedUnknown from None


def _fetch(feed: CalendarFeed | ChildCalendarFeed, stored: Content) -> Content:
    now = timezone.now()
    weeks = weeks_after(timezone.localdate(now))
    # What was asked for is not stored if something else is included meanwhile.
    mine = type(feed).objects.filter(pk=feed.pk, include=feed.include)
    try:
        answers, dated, name = with_account_session(feed.account_id, partial(ask_for, feed, weeks))
    except (ChildRequired, ChildUnknown):
        # The guardian has no such child any more, or it is not clear which one the feed is about.
        mine.update(**NOTHING_STORED)
        raise FeedUnknown from None
    except (NotSignedIn, UpstreamError) as error:
        signed_out = isinstance(error, NotSignedIn)
        if stored.lessons is None and not signed_out:
            raise  # an empty calendar would hide the failure
        failure = SIGNED_OUT if signed_out else UPSTREAM_AWAY
        mine.update(asked_at=now, trouble=failure)
        return replace(stored, failure=failure)
    content, columns = fetched_content(feed, stored, weeks, answers, dated, name, now)
    mine.update(asked_at=now, trouble="", **columns)
    return content


def purge_old_weeks(dry_run: bool = False) -> Purged:
    """Deletes stored lessons after 30 days; the feeds themselves stay. Safe to run at any time."""
    purged = Purged(noun="calendar feeds", done="emptied")
    for model in (CalendarFeed, ChildCalendarFeed):
        stored = model.objects.exclude(weeks_at=None)
        old = stored.filter(weeks_at__lt=oldest_kept(timezone.now()))
        purged.seen += stored.count()
        purged.expired += old.count() if dry_run else old.update(**NOTHING_STORED)
    return purged
