"""iCalendar files, read as two independent libraries read them."""

from functools import lru_cache
from typing import Any

from ical.calendar_stream import IcsCalendarStream
from icalendar import Calendar


@lru_cache(maxsize=4)  # a test asks several questions about the same file
def read_calendar(content: bytes) -> Any:
    """The calendar, in the classes of `icalendar`. It is valid, and `ical`, a strict parser with
    code of its own, reads the same events."""
    calendar = Calendar.from_ical(content)
    other = IcsCalendarStream.calendar_from_ics(content.decode())
    assert calendar.subcomponents, "RFC 5545, 3.6: at least one component"
    [zone] = other.timezones
    assert all(part.rrule and not part.rdate for part in [*zone.standard, *zone.daylight])
    events = calendar.walk("VEVENT")
    assert len({str(event["UID"]) for event in events}) == len(events)
    assert list(map(_facts, events)) == [
        (
            event.uid,
            event.summary,
            event.dtstart,
            event.dtend,
            event.dtstamp,
            event.location,
            event.description,
            event.sequence,
            event.last_modified,
            event.status.value if event.status else None,
        )
        for event in other.events
    ]
    return calendar


def _facts(event: Any) -> tuple[Any, ...]:
    texts = {name: str(event[name]) for name in ("LOCATION", "DESCRIPTION") if name in event}
    times = {
        name: event.decoded(name)
        for name in ("DTEND", "SEQUENCE", "LAST-MODIFIED")
        if name in event
    }
    return (
        str(event["UID"]),
        str(event["SUMMARY"]),
        event.decoded("DTSTART"),
        times.get("DTEND"),
        event.decoded("DTSTAMP"),
        texts.get("LOCATION"),
        texts.get("DESCRIPTION"),
        times.get("SEQUENCE"),
        times.get("LAST-MODIFIED"),
        str(event["STATUS"]) if "STATUS" in event else None,
    )
