"""When to look: on weekdays from 6 to 21 in Stockholm, and not everybody at once."""

import random
from datetime import datetime, timedelta

from django.conf import settings
from django.utils import timezone

from schoolproxy.limits import WATCH_HOURS
from schoolproxy.services.watch.state import WatchState

# Seconds after the moment at which a change may be confirmed.
_CONFIRM_JITTER = (1.0, 5.0)
_JITTER = 0.1


def is_open(moment: datetime) -> bool:
    """Whether the school may be looked at now."""
    local = timezone.localtime(moment)
    return local.weekday() < 5 and WATCH_HOURS[0] <= local.hour < WATCH_HOURS[1]


def next_open(moment: datetime) -> datetime:
    """This moment, or a random one in the first hour of the next day on which looks are made."""
    if is_open(moment):
        return moment
    local = timezone.localtime(moment)
    day = local.date()
    if local.hour >= WATCH_HOURS[1] or local.weekday() >= 5:
        day += timedelta(days=1)
    while day.weekday() >= 5:
        day += timedelta(days=1)
    opening = datetime(day.year, day.month, day.day, WATCH_HOURS[0], tzinfo=local.tzinfo)
    return opening + timedelta(seconds=random.uniform(0, 3600))  # noqa: S311 - spreads the load


def regular_look(asked_at: float) -> datetime:
    """The next look after one that asked everything (Unix seconds)."""
    seconds = settings.WATCH_MINUTES * 60 * (1 + random.uniform(0, _JITTER))  # noqa: S311
    return datetime.fromtimestamp(asked_at + seconds, tz=timezone.get_default_timezone())


def next_look(
    state: WatchState, now: datetime, *, may_confirm: bool = True
) -> tuple[datetime, bool]:
    """When to look again, and whether that look confirms a change; not unless it `may_confirm`."""
    regular = max(regular_look(state.asked_at), now)
    confirm_at = state.confirm_at()
    if confirm_at is not None and may_confirm:
        wait = random.uniform(*_CONFIRM_JITTER)  # noqa: S311
        again = now + timedelta(seconds=max(0.0, confirm_at - now.timestamp()) + wait)
        if again < regular:
            return next_open(again), True
    return next_open(regular), False
