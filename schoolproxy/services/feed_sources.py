"""Entries of other apps in a calendar.

`FEED_SOURCES` names functions `(account_id: int) -> Iterable[dict]`. Each dict holds the fields
of a `CalendarEntry`: `uid`, `title`, `start`, and perhaps `end`, `location`, `text`.
"""

from django.conf import settings
from django.utils.module_loading import import_string

from schoolproxy.services.calendar.entries import CalendarEntry


def entries_from_sources(account_id: int) -> list[CalendarEntry]:
    """The entries of all sources for this account."""
    return [
        CalendarEntry(**fields)
        for source in settings.FEED_SOURCES
        for fields in import_string(source)(account_id)
    ]
