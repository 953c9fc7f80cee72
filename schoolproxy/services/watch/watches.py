"""Beginning and ending a watch, and what is shown of it."""

from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import Count, F
from django.utils import timezone

from accounts.models import ServiceSession
from accounts.purging import Purged
from accounts.timestamps import milliseconds
from notifications.models import NotificationSettings
from schoolproxy import limits
from schoolproxy.models import ScheduleChange, Watch
from schoolproxy.models.watch import OK, SIGN_IN_AGAIN, STATUSES, WAITING
from schoolproxy.services.watch.record import wanted_kinds
from schoolproxy.services.watch.state import WatchState
from schoolproxy.services.watch.times import next_opening

# Requests of a usual look: its session and its questions.
_USUAL_COST = 7


@transaction.atomic
def apply_settings(account_id: int) -> None:
    """Begin or end the watch of an account, as its settings say, in the transaction that changed
    them."""
    is_on = NotificationSettings.objects.filter(pk=account_id, watch=True).exists()
    if is_on and wanted_kinds(account_id):
        start = next_opening(timezone.now())
        row = Watch(account_id=account_id, next_look_at=start)
        Watch.objects.bulk_create([row], ignore_conflicts=True)
    else:
        drop_watch(account_id)


def drop_watch(account_id: int) -> None:
    """Forget everything that was seen for an account."""
    Watch.objects.filter(account_id=account_id).delete()
    ScheduleChange.objects.filter(account_id=account_id).delete()


def drop_without_login(account_id: int) -> None:
    """Forget what was seen, when the account has no login any more."""
    if not ServiceSession.objects.filter(account_id=account_id).exists():
        watches = Watch.objects.filter(account_id=account_id, state__isnull=False)
        watches.update(state=None, version=F("version") + 1)


def watch_fields(account_id: int) -> dict[str, Any]:
    """The watch of an account, in the words of the API. Its status is the worst of the children."""
    rows = list(Watch.objects.filter(account_id=account_id).order_by("child_id"))
    # A guardian's own row only finds the children.
    watched = [row for row in rows if row.child_id] or rows
    statuses = {row.status for row in watched}
    status = next((word for word in (SIGN_IN_AGAIN, WAITING, OK) if word in statuses), "off")
    last = [row.last_look_at for row in watched if row.last_look_at]
    expected = [at for row in watched if (at := _expected(row)) is not None]
    return {
        "on": bool(rows),
        "since": _ms(min((row.since for row in rows), default=None)),
        "lastLookAt": _ms(max(last, default=None)),
        "nextLookAt": _ms(min(expected, default=None)),
        "status": status,
        "children": [_child_fields(row) for row in rows if row.child_id],
    }


def schedule_changes(account_id: int, child_id: int, since: datetime) -> list[dict[str, Any]]:
    """What was told of a schedule after `since` (aware), the newest first, at most 500."""
    oldest = timezone.now() - timedelta(days=limits.CHANGES_KEPT_DAYS)
    rows = ScheduleChange.objects.filter(
        account_id=account_id, child_id=child_id, at__gt=max(since, oldest)
    ).order_by("-at", "-id")[: limits.CHANGES_SHOWN]
    changes = ((row.at, row.read_change()) for row in rows)
    return [{"at": _ms(at), **fields} for at, fields in changes if fields is not None]


def purge_old_changes(dry_run: bool = False) -> Purged:
    """Delete changes of schedules after 30 days."""
    oldest = timezone.now() - timedelta(days=limits.CHANGES_KEPT_DAYS)
    old = ScheduleChange.objects.filter(at__lt=oldest)
    purged = Purged(noun="schedule changes", done="deleted", seen=ScheduleChange.objects.count())
    purged.expired = old.count() if dry_run else old.delete()[0]
    return purged


def count_watches() -> dict[str, int]:
    """How many watches have each status."""
    counts = Watch.objects.values_list("status").annotate(number=Count("pk")).order_by()
    return dict.fromkeys(STATUSES, 0) | dict(counts)


def _child_fields(row: Watch) -> dict[str, Any]:
    return {
        "id": str(row.child_id),
        "name": WatchState.from_json(row.read_state()).child_name,
        "lastLookAt": _ms(row.last_look_at),
        "nextLookAt": _ms(_expected(row)),
        "status": row.status,
    }


def _expected(row: Watch) -> datetime | None:
    """When the budget lets the next look happen, from the length of the queue before it."""
    budget = settings.WATCH_REQUESTS_PER_MINUTE
    if row.status == SIGN_IN_AGAIN or not budget:
        return None
    before = Watch.objects.filter(status__in=(OK, WAITING), next_look_at__lt=row.next_look_at)
    minutes = before.count() * _USUAL_COST / budget
    return next_opening(max(row.next_look_at, timezone.now() + timedelta(minutes=minutes)))


def _ms(moment: datetime | None) -> int | None:
    return None if moment is None else milliseconds(moment)
