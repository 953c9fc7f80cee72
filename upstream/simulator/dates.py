"""School weeks, and dates as their pages write them: Stockholm time, never a time zone."""

from datetime import date, datetime

EMPTY_WEEKS = frozenset({29, 30, 31})
"""ISO weeks in the middle of the summer, without lessons, lunch and assignments."""

_DAYS = ("måndag", "tisdag", "onsdag", "torsdag", "fredag", "lördag", "söndag")
# Some have a dot and some do not, as on their pages.
_MONTHS = (
    "jan.", "feb.", "mars", "apr.", "maj", "juni", "juli", "aug.", "sep.", "okt.", "nov.", "dec.",
)  # fmt: skip
_LONG_MONTHS = (
    "januari", "februari", "mars", "april", "maj", "juni", "juli", "augusti", "september",
    "oktober", "november", "december",
)  # fmt: skip


def monday_near(week: int, today: date) -> date:
    """The Monday of this ISO week (1-53) that is nearest to `today`; few years have a week 53."""
    mondays: list[date] = []
    for year in range(today.year - 7, today.year + 8):
        try:
            mondays.append(date.fromisocalendar(year, week, 1))
        except ValueError:
            continue
    return min(mondays, key=lambda monday: abs(monday - today))


def day_name(day: date) -> str:
    """`Måndag 9 mars`."""
    return f"{_DAYS[day.weekday()].capitalize()} {day.day} {_LONG_MONTHS[day.month - 1]}"


def short(moment: datetime) -> str:
    """`tis 10 mars 00:00`."""
    return f"{short_day(moment)} {moment:%H:%M}"


def short_day(day: date) -> str:
    """`tis 10 mars`."""
    return f"{_DAYS[day.weekday()][:3]} {day:%d} {_MONTHS[day.month - 1]}"


def long(moment: datetime) -> str:
    """`tisdag 10 mars 2026 00:00`."""
    month = _LONG_MONTHS[moment.month - 1]
    return f"{_DAYS[moment.weekday()]} {moment:%d} {month} {moment:%Y %H:%M}"


def without_year(moment: datetime) -> str:
    """`9 mars 14:05`, `3 feb. 09:42`."""
    return f"{moment.day} {_MONTHS[moment.month - 1]} {moment:%H:%M}"


def in_lists(day: date) -> str:
    """`12 mars`, `3 feb.`."""
    return f"{day.day} {_MONTHS[day.month - 1]}"


def for_people(day: date, today: date) -> str:
    """`igår`, `idag`, `imorgon`, `12 mars`, and with the year when it is another one."""
    near = {-1: "ig&aring;r", 0: "Idag", 1: "imorgon"}.get((day - today).days)
    year = "" if day.year == today.year else f" {day.year}"
    return near or f"{in_lists(day)}{year}"


def row(moment: datetime) -> str:
    """`2026-03-17 08:20`, of rows in lists."""
    return f"{moment:%Y-%m-%d %H:%M}"
