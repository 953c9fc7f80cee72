"""Calendar entries as iCalendar text (RFC 5545, with the properties of RFC 7986)."""

import re
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Final

from django.conf import settings
from icalendar import Calendar, Event, Timezone

from accounts.invisible_characters import visible_text
from schoolproxy.services.calendar.entries import CalendarEntry

NAME = "Schema"
# How often a calendar program should refresh: without it, some wait a week.
REFRESH = timedelta(hours=1)
# SEQUENCE is the time of the last change, so that it grows also when what was known of an entry is
# lost. It counts from here, because programs read 32 bits.
_SEQUENCE_BEGINS: Final = datetime(2020, 1, 1, tzinfo=UTC)
# The rule of the EU, of 1996, without an end: Outlook knows no single dates (RDATE) of a time zone.
_TIME_ZONE: Final = f"""BEGIN:VTIMEZONE
TZID:{settings.TIME_ZONE}
BEGIN:STANDARD
DTSTART:19701025T030000
RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU
TZNAME:CET
TZOFFSETFROM:+0200
TZOFFSETTO:+0100
END:STANDARD
BEGIN:DAYLIGHT
DTSTART:19700329T020000
RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU
TZNAME:CEST
TZOFFSETFROM:+0100
TZOFFSETTO:+0200
END:DAYLIGHT
END:VTIMEZONE
"""
# RFC 5545, 3.3.11: the only control characters in a text are tabs and escaped line breaks.
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029]")


def calendar_text(
    entries: Sequence[CalendarEntry], *, stamp: datetime, child: str = "", name: str = ""
) -> bytes:
    """The calendar in UTF-8, with CR LF line ends. `stamp` is the DTSTAMP of an entry of which
    nobody knows when it changed. Without a `name`, `child` is a part of it. The same arguments
    always give the same bytes.

    The time zone is there also without an event: a calendar has at least one component (RFC 5545,
    3.6).
    """
    name = _clean(name) or (f"{NAME}: {_clean(child)}" if child else NAME)
    calendar = Calendar()
    calendar.add("prodid", "-//School wrapper//Schedule//SV")
    calendar.add("version", "2.0")
    calendar.add("calscale", "GREGORIAN")
    calendar.add("method", "PUBLISH")
    calendar.add("name", name)
    calendar.add("x-wr-calname", name)
    calendar.add("x-wr-timezone", settings.TIME_ZONE)
    calendar.add("refresh-interval", REFRESH, parameters={"VALUE": "DURATION"})
    calendar.add("x-published-ttl", "PT1H")
    calendar.add_component(Timezone.from_ical(_TIME_ZONE))
    for entry in entries:
        calendar.add_component(_event(entry, stamp.astimezone(UTC)))
    text: bytes = calendar.to_ical()
    return text


def _event(entry: CalendarEntry, stamp: datetime) -> Event:
    event = Event()
    event.add("uid", entry.uid)
    if entry.changed_at is None:
        event.add("dtstamp", stamp)
    else:
        changed_at = entry.changed_at.astimezone(UTC)
        event.add("dtstamp", changed_at)
        event.add("last-modified", changed_at)
        event.add("sequence", max(0, int((changed_at - _SEQUENCE_BEGINS).total_seconds())))
    event.add("dtstart", entry.start)
    if entry.end is not None:
        event.add("dtend", entry.end)
    event.add("summary", _clean(entry.title))
    if entry.location:
        event.add("location", _clean(entry.location))
    if entry.text:
        event.add("description", _clean(entry.text))
    if entry.cancelled:
        event.add("status", "CANCELLED")
    if entry.cancelled or not isinstance(entry.start, datetime):
        event.add("transp", "TRANSPARENT")  # a whole day does not count as busy
    return event


def _clean(text: str) -> str:
    """The text as a program may show it: line breaks, and nothing else that nobody sees."""
    return visible_text(_CONTROL.sub("", text.replace("\r\n", "\n").replace("\r", "\n")))
