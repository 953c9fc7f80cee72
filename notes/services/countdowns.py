"""Somebody's countdowns: to keep, to change, and for the calendar."""

from collections.abc import Iterator
from datetime import datetime, time, timedelta
from typing import Any
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from accounts.models import Account
from notes.errors import NotThere, TooManyKept
from notes.limits import MAX_COUNTDOWNS
from notes.models import Countdown

# How long an event lasts in a calendar: a countdown has a beginning only.
_DAY, _HOUR = timedelta(days=1), timedelta(hours=1)


def list_countdowns(account_id: int) -> list[Countdown]:
    """All of an account's, the nearest date first; archived ones too."""
    return list(Countdown.objects.filter(account_id=account_id).order_by("target_at", "pk"))


def add_countdown(*, account_id: int, fields: dict[str, Any]) -> Countdown:
    """Keep a new one; `fields` are columns. Raises: TooManyKept."""
    with transaction.atomic():
        # One at a time: of two that come at once, the second counts the first.
        Account.objects.select_for_update(no_key=True).get(pk=account_id)
        if Countdown.objects.filter(account_id=account_id).count() >= MAX_COUNTDOWNS:
            raise TooManyKept
        return Countdown.objects.create(account_id=account_id, **fields)


def change_countdown(*, account_id: int, countdown_id: UUID, fields: dict[str, Any]) -> Countdown:
    """The account's countdown with these columns changed and no others, so that two changes at
    once both stay. Raises: NotThere."""
    own = Countdown.objects.filter(account_id=account_id, pk=countdown_id)
    if fields:
        own.update(**fields, updated_at=timezone.now())
    countdown = own.first()
    if countdown is None:
        raise NotThere
    return countdown


def remove_countdown(*, account_id: int, countdown_id: UUID) -> None:
    """Raises: NotThere, also the second time."""
    removed, _ = Countdown.objects.filter(account_id=account_id, pk=countdown_id).delete()
    if not removed:
        raise NotThere


def calendar_entries(account_id: int) -> Iterator[dict[str, Any]]:
    """The account's countdowns as entries of its calendar, but for archived ones.

    One at midnight in Stockholm is a whole day, any other an hour. An entry keeps its uid
    whatever is changed, so that a calendar program moves it and does not double it.
    """
    own = Countdown.objects.filter(account_id=account_id, archived=False)
    for countdown in own.order_by("target_at", "pk"):
        start = timezone.localtime(countdown.target_at)
        yield {
            "uid": f"{countdown.pk.hex}@countdown",
            "title": f"{countdown.emoji} {countdown.title}".strip(),
            "text": countdown.description,
        } | _span(start)


def _span(start: datetime) -> dict[str, Any]:
    if start.timetz().replace(tzinfo=None) == time():
        return {"start": start.date(), "end": start.date() + _DAY}
    return {"start": start, "end": start + _HOUR}
