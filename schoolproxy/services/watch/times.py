"""When looks are made: on weekdays from 6 to 21 in Stockholm, and not for everybody at once."""

import random
from datetime import datetime, timedelta

from django.conf import settings
from django.utils import timezone

from schoolproxy.limits import WATCH_HOURS
from schoolproxy.services.watch.state import WatchState

# Seconds after the time at which a change may be confirmed.
_CONFIRM_JITTER = (1.0, 5.0)
_JITTER = 0.1


def in_watch_hours(moment: datetime) -> bool:
    """Whether looks are made at this time."""
    local = timezone.localtime(moment)
    return local.weekday() < 5 and WATCH_HOURS[0] <= local.hour < WATCH_HOURS[1]


def next_opening(moment: datetime) -> datetime:
    """This time, or a random one in the first hour of the next day on which looks are made."""
    if in_watch_hours(moment):
        return moment
    local = timezone.localtime(moment)
    day = local.date()
    if local.hour >= WATCH_HOURS[1] or local.weekday() >= 5:
        day += timedelta(days=1)
    while day.weekday() >= 5:
        day += timedelta(days=1)
    opening = datetime(day.year, day.month, day.day, WATCH_HOURS[0], tzinfo=local.tzinfo)
    return opening + timedelta(seconds=random.uniform(0, 3600))  # noqa: S311 - spreads the load


def _next_regular_look(last: float) -> datetime:
    """The regular look after one at this time (Unix seconds)."""
    seconds = settings.WATCH_MINUTES * 60 * (1 + random.uniform(0, _JITTER))  # noqa: S311
    return datetime.fromtimestamp(last + seconds, tz=timezone.get_default_timezone())


def next_look(
    state: WatchState, now: datetime, *, may_confirm: bool = True
) -> tuple[datetime, bool]:
    """When to look again, and whether that look confirms a change; not unless it `may_confirm`."""
    regular = max(_next_regular_look(state.regular_at), now)
    confirm_at = state.confirm_at()
    if confirm_at is not None and may_confirm:
        wait = random.uniform(*_CONFIRM_JITTER)  # noqa: S311
        second_look = now + timedelta(seconds=max(0.0, confirm_at - now.timestamp()) + wait)
        if second_look < regular:
            return next_opening(second_look), True
    return next_opening(regular), False
