"""Dates as their pages and prose write them. Never a zone; the wall clock of Stockholm."""

from datetime import date, datetime

_DAYS = ("måndag", "tisdag", "onsdag", "torsdag", "fredag", "lördag", "söndag")
# With a dot and without: so it is written.
_MONTHS = [
    "jan.",
    "feb.",
    "mars",
    "apr.",
    "maj",
    "juni",
    "juli",
    "aug.",
    "sep.",
    "okt.",
    "nov.",
    "dec.",
]
_LONG_MONTHS = [
    "januari",
    "februari",
    "mars",
    "april",
    "maj",
    "juni",
    "juli",
    "augusti",
    "september",
    "oktober",
    "november",
    "december",
]


def day_name(day: date) -> str:
    """`Måndag 9 mars`."""
    return f"{_DAYS[day.weekday()].capitalize()} {day.day} {_LONG_MONTHS[day.month - 1]}"


def short(moment: datetime) -> str:
    """`tis 10 mars 00:00`."""
    return f"{_short_day(moment)} {moment:%H:%M}"


def short_day(day: date) -> str:
    """`tis 10 mars`."""
    return _short_day(day)


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


def row(moment: datetime) -> str:
    """`2026-03-17 08:20`, of rows in lists."""
    return f"{moment:%Y-%m-%d %H:%M}"


def _short_day(day: date) -> str:
    return f"{_DAYS[day.weekday()][:3]} {day:%d} {_MONTHS[day.month - 1]}"
