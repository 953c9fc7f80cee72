"""The ISO week and year of a query. Upstream counts weeks from 1 to 53, mostly without a year."""

import re

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


def read_year(text: str | None) -> int:
    """The ISO year of a query; without one, the current one: on 1 January it may be last year's.

    Raises: InvalidInput for anything but 2000 to 2099.
    """
    if text is None:
        return timezone.localdate().isocalendar().year
    if not _YEAR.fullmatch(text):
        raise InvalidInput({"year": [_("Give a year from 2000 to 2099.")]})
    return int(text)
