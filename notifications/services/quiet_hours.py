"""Quiet hours: the times of day in Stockholm when a person receives no push."""

from datetime import datetime, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from notifications.models.settings import QuietHours

STOCKHOLM: Final = ZoneInfo("Europe/Stockholm")


def is_quiet(hours: QuietHours | None, now: datetime) -> bool:
    """Whether `now` is in them. From and to at the same time of day are no quiet hours at all."""
    if hours is None or hours.start == hours.end:
        return False
    at = now.astimezone(STOCKHOLM).time().replace(tzinfo=None)
    if hours.start < hours.end:
        return hours.start <= at < hours.end
    return at >= hours.start or at < hours.end


def seconds_until_end(hours: QuietHours, now: datetime) -> float:
    """Seconds until quiet hours end, also when the clock changes meanwhile."""
    local = now.astimezone(STOCKHOLM)
    end = local.replace(
        hour=hours.end.hour, minute=hours.end.minute, second=0, microsecond=0, fold=0
    )
    if end.time() <= local.time():
        end += timedelta(days=1)
    return max(1.0, end.timestamp() - now.timestamp())
