"""The ISO week and year, or the days, of a query. Upstream counts weeks from 1 to 53, mostly
without a year."""

import re
from contextlib import suppress
from datetime import date, timedelta

from django.http import QueryDict
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts.errors import InvalidInput
from schoolproxy.limits import DAYS_SHOWN, MOST_DAYS

_WEEK = re.compile(r"0?[1-9]|[1-4][0-9]|5[0-3]")
_YEAR = re.compile(r"20[0-9]{2}")
_DAY = re.compile(r"20[0-9]{2}-[0-9]{2}-[0-9]{2}")


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


def read_week_of_year(query: QueryDict) -> tuple[int, int]:
    """The `week` and the `year` of a query. Raises: InvalidInput, also for a year without a week
    53."""
    week, year = read_week(query.get("week")), read_year(query.get("year"))
    with suppress(ValueError):
        date.fromisocalendar(year, week, 1)
        return week, year
    raise InvalidInput({"week": [_("This year has no week 53.")]})


def read_days(first: str | None, last: str | None) -> tuple[date, date]:
    """The days `from` and `to` of a query, both inclusive: without the first, today; without the
    last, four weeks.

    Raises: InvalidInput for anything but `YYYY-MM-DD` from 2000 to 2099, for days in the wrong
    order, and for more than 62.
    """
    begins = timezone.localdate() if first is None else _day("from", first)
    ends = begins + timedelta(days=DAYS_SHOWN - 1) if last is None else _day("to", last)
    if not 0 <= (ends - begins).days < MOST_DAYS:
        raise InvalidInput({"to": [_("Give a day from the first one on, and at most 62 days.")]})
    return begins, ends


def _day(name: str, text: str) -> date:
    with suppress(ValueError):
        if _DAY.fullmatch(text):
            return date.fromisoformat(text)
    raise InvalidInput({name: [_("Give a day as YYYY-MM-DD.")]})
