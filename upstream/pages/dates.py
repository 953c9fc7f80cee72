"""Days and times as pages write them for people: "10 mars", "5 feb.", "10 juni 2027", "igår"."""

import re
from datetime import date, timedelta
from typing import Final

_MONTHS: Final = {
    name: number
    for number, names in enumerate(
        [
            "jan",
            "feb",
            "mar",
            "apr",
            "maj may",
            "jun",
            "jul",
            "aug",
            "sep",
            "okt oct",
            "nov",
            "dec",
        ],
        start=1,
    )
    for name in names.split()
}
_NEAR: Final = {
    "igår": -1, "idag": 0, "imorgon": 1, "yesterday": -1, "today": 0, "tomorrow": 1,
    "i går": -1, "i dag": 0, "i morgon": 1,
}  # fmt: skip
_DAY: Final = re.compile(r"(\d{1,2})\s+([a-zåäö]{3})[a-zåäö]*\.?(?:\s+(\d{4}))?(?:\s|\Z)")
_ISO: Final = re.compile(r"(\d{4})-(\d{2})-(\d{2})")
_TIME: Final = re.compile(r"(?<!\d)([01]?\d|2[0-3])[:.]([0-5]\d)(?!\d)")


def read_day(text: str, today: date, *, past: bool = False) -> date | None:
    """The day that a text begins with; None for anything else.

    Without a year it is this year's, or with `past` the latest that is not in the future.
    """
    text = text.strip().lower()
    for name, days in _NEAR.items():
        if text.startswith(name):
            return today + timedelta(days=days)
    written = _DAY.match(text)
    iso = _ISO.match(text)
    if iso:
        return day_of(int(iso[1]), int(iso[2]), int(iso[3]))
    if written is None or written[2] not in _MONTHS:
        return None
    month, number = _MONTHS[written[2]], int(written[1])
    if written[3]:
        return day_of(int(written[3]), month, number)
    day = day_of(today.year, month, number)
    if past and (day is None or day > today):
        # The 29th of February may be four years ago, or eight.
        earlier = (day_of(today.year - years, month, number) for years in range(1, 9))
        day = next(filter(None, earlier), None)
    return day


def read_time(text: str) -> str | None:
    """`HH:MM` of a time somewhere in the text; None if there is none."""
    time = _TIME.search(text)
    return f"{int(time[1]):02d}:{time[2]}" if time else None


def day_of(year: int, month: int, day: int) -> date | None:
    """The date; None if there is no such day."""
    try:
        return date(year, month, day)
    except ValueError:
        return None
