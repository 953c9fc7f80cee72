"""Quiet hours, in Stockholm's time of day."""

from datetime import datetime, time
from zoneinfo import ZoneInfo

import pytest

from notifications.models import NotificationSettings

STOCKHOLM = ZoneInfo("Europe/Stockholm")
NIGHT = (time(21), time(7))
NOON = (time(12), time(13, 30))
NONE = (None, None)
Hours = tuple[time, time] | tuple[None, None]


def seconds_of_quiet(hours: Hours, now: str) -> float:
    row = NotificationSettings(quiet_from=hours[0], quiet_to=hours[1])
    return row.seconds_of_quiet(datetime.fromisoformat(now).replace(tzinfo=STOCKHOLM))


@pytest.mark.parametrize(
    ("hours", "now", "quiet"),
    [
        (NIGHT, "2026-11-22T20:59:59", False),
        (NIGHT, "2026-11-22T21:00", True),
        (NIGHT, "2026-11-23T00:00", True),
        (NIGHT, "2026-11-23T06:59:59", True),
        (NIGHT, "2026-11-23T07:00", False),
        (NOON, "2026-11-22T11:59", False),
        (NOON, "2026-11-22T12:00", True),
        (NOON, "2026-11-22T13:30", False),
        # The night in which summer time begins, and the one in which it ends.
        (NIGHT, "2027-03-28T06:59", True),
        (NIGHT, "2027-03-28T07:00", False),
        (NIGHT, "2026-10-25T06:59", True),
        (NIGHT, "2026-10-25T07:00", False),
        (NONE, "2026-11-22T23:00", False),
        ((time(8), time(8)), "2026-11-22T08:00", False),
    ],
)
def test_they_are_times_of_day_in_stockholm(hours: Hours, now: str, quiet: bool) -> None:
    assert bool(seconds_of_quiet(hours, now)) is quiet


@pytest.mark.parametrize(
    ("now", "hours_left"),
    [
        ("2026-11-22T22:00", 9),
        ("2026-11-23T06:00", 1),
        ("2027-03-27T22:00", 8),
        ("2026-10-24T22:00", 10),
    ],
)
def test_they_end_at_seven_also_when_the_clock_changes(now: str, hours_left: int) -> None:
    assert seconds_of_quiet(NIGHT, now) == hours_left * 3600
