"""The countdowns of an account: list, add, change, remove."""

from typing import Any
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from accounts.errors import NotFound, TooManyKept
from accounts.models import Account
from notes.limits import MAX_COUNTDOWNS
from notes.models import Countdown


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
