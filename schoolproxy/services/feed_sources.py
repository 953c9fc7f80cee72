"""Entries that other apps have for somebody's calendar.

`FEED_SOURCES` names functions `(account_id: int) -> Iterable[dict]`; each dict holds the fields
of an `Entry`: `uid`, `title`, `start`, and perhaps `end`, `place`, `text`. They know nothing of
this app, and this app nothing of theirs.
"""

from django.conf import settings
from django.utils.module_loading import import_string

from schoolproxy.services.calendar.entries import Entry


def entries_from_sources(account_id: int) -> list[Entry]:
    """What every source has for this account."""
    return [
        Entry(**fields)
        for source in settings.FEED_SOURCES
        for fields in import_string(source)(account_id)
    ]
