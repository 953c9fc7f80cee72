"""Telling people something: the one way in for the apps above."""

from collections.abc import Sequence
from typing import Any

from django.db import transaction

from notifications.models import Notification
from notifications.services.pushes import push_later
from notifications.services.settings import LIST, OFF, PUSH, deliveries_of
from notifications.signals import notifications_created


def notify(
    account_id: int, kind: str, *, about: str = "", details: dict[str, Any] | None = None
) -> None:
    """Write a notification, in the current transaction, unless the person switched the kind off.

    `about` gathers events: while a notification about it is unread, there is no other. `details`
    are the values that the kind describes it with (JSON); they are stored sealed.
    """
    made = Notification(account_id=account_id, kind=kind, about=about)
    made.set_details(details or {})
    _write([made], kind)


def notify_each(kind: str, abouts: Sequence[tuple[int, str]]) -> None:
    """As `notify`, for several (account, about), in as many queries as for one."""
    made = [
        Notification(account_id=account_id, kind=kind, about=about) for account_id, about in abouts
    ]
    _write(made, kind)


@transaction.atomic
def _write(made: Sequence[Notification], kind: str) -> None:
    """Write those that are wanted and not there yet, publish them, and have them pushed."""
    deliveries = deliveries_of([each.account_id for each in made], kind)
    wanted = [each for each in made if deliveries.get(each.account_id, LIST) != OFF]
    for each in wanted:
        each.push = "due" if deliveries.get(each.account_id) == PUSH else "none"
    Notification.objects.bulk_create(wanted, ignore_conflicts=True)
    if any(each.about for each in wanted):
        rows = Notification.objects.filter(pk__in=[each.pk for each in wanted])
        written = set(rows.values_list("pk", flat=True))
        wanted = [each for each in wanted if each.pk in written]
    if wanted:
        push_later(wanted)
        notifications_created.send_robust(Notification, notifications=wanted)
