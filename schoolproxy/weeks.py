"""ISO weeks, as upstream counts them: 1 to 53, in Europe/Stockholm, mostly without a year."""

import re

from django.utils import timezone

from accounts.errors import InvalidInput

_WEEK = re.compile(r"0?[1-9]|[1-4][0-9]|5[0-3]")
_YEAR = re.compile(r"20[0-9]{2}")


def current_week() -> int:
    """The ISO week that it is in Stockholm."""
    return timezone.localdate().isocalendar().week


def read_week(text: str | None) -> int:
    """The week that a query names; the current one when it names none.

    Raises `InvalidInput` for anything but 1 to 53, a leading zero allowed.
    """
    if text is None:
        return current_week()
    if not _WEEK.fullmatch(text):
        raise InvalidInput({"week": ["Give an ISO week from 1 to 53."]})
    return int(text)


def current_year() -> int:
    """The ISO year that it is in Stockholm: on 1 January it may still be the last one."""
    return timezone.localdate().isocalendar().year


def read_year(text: str | None) -> int:
    """The ISO year that a query names; the current one when it names none.

    Raises `InvalidInput` for anything but 2000 to 2099.
    """
    if text is None:
        return current_year()
    if not _YEAR.fullmatch(text):
        raise InvalidInput({"year": ["Give a year from 2000 to 2099."]})
    return int(text)
