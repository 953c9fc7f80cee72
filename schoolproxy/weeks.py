"""The ISO week and year of a query. Upstream counts weeks from 1 to 53, mostly without a year."""

import re
from contextlib import suppress
from datetime import date

from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts.errors import InvalidInput

_WEEK = re.compile(r"0?[1-9]|[1-4][0-9]|5[0-3]")
_YEAR = re.compile(r"20[0-9]{2}")


def read_week(text: str | None) -> int:
    """The ISO week of a query; without one, the current week in Stockholm.

    Raises: InvalidInput for anything but 1 to 53. A leading zero is allowed.
    """
    if text is None:
        return timezone.localdate().isocalendar().week
    if not _WEEK.fullmatch(text):
        raise InvalidInput({"week": [_("Give an ISO week from 1 to 53.")]})
    return int(text)


def nearest_year(week: int, today: date) -> int:
    """The ISO year whose week of this number is nearest to `today`; few years have a week 53."""
    mondays = []
    for year in range(today.year - 7, today.year + 8):
        with suppress(ValueError):
            mondays.append(date.fromisocalendar(year, week, 1))
    return min(mondays, key=lambda monday: abs(monday - today)).isocalendar().year


def read_year(text: str | None) -> int:
    """The ISO year of a query; without one, the current one: on 1 January it may be last year's.

    Raises: InvalidInput for anything but 2000 to 2099.
    """
    if text is None:
        return timezone.localdate().isocalendar().year
    if not _YEAR.fullmatch(text):
        raise InvalidInput({"year": [_("Give a year from 2000 to 2099.")]})
    return int(text)
