"""The countdowns of an account: list, add, change, remove, and show in the calendar."""

from collections.abc import Iterator
from datetime import date, datetime, time, timedelta
from typing import Any
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from accounts.contribution_types import CalendarEntry
from accounts.errors import NotFound, TooManyKept
from accounts.models import Account
from notes.limits import MAX_COUNTDOWNS
from notes.models import Countdown

# The length of a calendar event: a countdown has only a start.
_DAY, _HOUR = timedelta(days=1), timedelta(hours=1)


def list_countdowns(account_id: int) -> list[Countdown]:
    return list(Countdown.objects.filter(account_id=account_id).order_by("target_at", "pk"))


def add_countdown(*, account_id: int, fields: dict[str, Any]) -> Countdown:
    """A new countdown. `fields` are columns. Raises: TooManyKept."""
    with transaction.atomic():
        # Locked, so that two requests at once cannot both count one less than the limit.
        Account.objects.select_for_update(no_key=True).get(pk=account_id)
        if Countdown.objects.filter(account_id=account_id).count() >= MAX_COUNTDOWNS:
            raise TooManyKept
        return Countdown.objects.create(account_id=account_id, **fields)


def change_countdown(*, account_id: int, countdown_id: UUID, fields: dict[str, Any]) -> Countdown:
    """The countdown with these columns changed. Others are not written, so two changes at once both
    take effect. Raises: NotFound."""
    own = Countdown.objects.filter(account_id=account_id, pk=countdown_id)
    if fields:
        own.update(**fields, updated_at=timezone.now())
    countdown = own.first()
    if countdown is None:
        raise NotFound
    return countdown


def remove_countdown(*, account_id: int, countdown_id: UUID) -> None:
    """Raises: NotFound, also for a second call."""
    removed, _ = Countdown.objects.filter(account_id=account_id, pk=countdown_id).delete()
    if not removed:
        raise NotFound


def calendar_entries(account_id: int) -> Iterator[CalendarEntry]:
    """The account's countdowns as calendar entries, without the archived ones.

    A countdown to midnight in Stockholm lasts a whole day, any other one hour. Its uid never
    changes, so that calendar programs move the event instead of adding another.
    """
    own = Countdown.objects.filter(account_id=account_id, archived=False)
    for countdown in own.order_by("target_at", "pk"):
        start, end = _span(timezone.localtime(countdown.target_at))
        yield CalendarEntry(
            uid=f"{countdown.pk.hex}@countdown",
            title=f"{countdown.emoji} {countdown.title}".strip(),
            start=start,
            end=end,
            text=countdown.description,
        )


def _span(start: datetime) -> tuple[date, date]:
    if start.time() == time():
        return start.date(), start.date() + _DAY
    return start, start + _HOUR
