"""Lessons as calendar entries, and entries as valid iCalendar text."""

import html
from datetime import UTC, date, datetime
from itertools import product
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from schoolproxy.services.calendar.entries import FIELDS, CalendarEntry, shown_fields
from schoolproxy.services.calendar.history import lesson_entries
from schoolproxy.services.calendar.ical import calendar_text
from tests.calendar_files import read_calendar

STAMP = datetime(2026, 3, 9, tzinfo=UTC)
MATHS: dict[str, Any] = {
    "eventId": 4410271,
    "name": "Ma",
    "description": "Matematik",
    "startDate": "2026-03-09T08:20",
    "endDate": "2026-03-09T09:25",
    "allDay": False,
    "room": "B204,A101",
    "teacher": "Torbjörn Ekvik,Åsa Lindroos",
    "teachingGroup": "8C,8C/MA-2",
    "studentLessonStatus": {"absence": 1, "reason": "sjuk"},
    "eventColor": "#6fa8dc",
}


def read(*lessons: dict[str, Any]) -> list[Any]:
    """The events of these lessons, as another iCalendar parser reads them."""
    text = calendar_text(lesson_entries(shown_fields(lessons), owner="1:0"), stamp=STAMP)
    return list(read_calendar(text).walk("VEVENT"))


def one(**changed: Any) -> Any:
    (event,) = read(MATHS | changed)
    return event


def test_a_lesson_becomes_an_event() -> None:
    event = one()
    assert event["SUMMARY"] == "Matematik"
    assert event["LOCATION"] == "B204, A101"
    assert event["DESCRIPTION"] == "Lärare: Torbjörn Ekvik, Åsa Lindroos\nGrupp: 8C, 8C/MA-2"
    assert event.decoded("DTSTAMP") == STAMP


def test_its_times_are_local_times_in_stockholm() -> None:
    event = one()
    assert event["DTSTART"].params["TZID"] == "Europe/Stockholm"
    assert event["DTSTART"].to_ical() == b"20260309T082000"
    assert event["DTEND"].to_ical() == b"20260309T092500"


@pytest.mark.parametrize(
    ("day", "utc"),
    [("2026-03-27", 7), ("2026-03-30", 6), ("2026-10-23", 6), ("2026-10-26", 7)],
    ids=["before-summer-time", "in-week-14", "before-winter-time", "in-week-44"],
)
def test_lessons_keep_their_local_time_across_a_clock_change(day: str, utc: int) -> None:
    event = one(startDate=f"{day}T08:20", endDate=f"{day}T09:25")
    assert event["DTSTART"].to_ical() == f"{day.replace('-', '')}T082000".encode()
    assert event.decoded("DTSTART").astimezone(UTC).hour == utc


def test_times_in_the_night_of_a_clock_change_are_accepted() -> None:
    gap, twice = "2026-03-29T02:30", "2026-10-25T02:30"
    for moment in (gap, twice):
        assert one(startDate=moment, endDate=moment.replace(":30", ":50"))


def test_the_time_zone_has_rules_that_hold_until_2100() -> None:
    (zone,) = read_calendar(calendar_text([], stamp=STAMP)).walk("VTIMEZONE")
    assert zone["TZID"] == "Europe/Stockholm"
    ours, theirs = zone.to_tz(lookup_tzid=False), ZoneInfo("Europe/Stockholm")
    for year, month, day in product(range(1997, 2101), (1, 3, 7, 10), range(24, 32)):
        noon = datetime(year, month, day, 12, tzinfo=ours)
        assert noon.utcoffset() == noon.replace(tzinfo=theirs).utcoffset()


def test_text_survives_escaping() -> None:
    title = "Ma; prov, kap 1\\2: \N{GRINNING FACE} åäö 'x' \"y\""
    assert one(description=title)["SUMMARY"] == title


def test_text_cannot_inject_a_line() -> None:
    text = "x\r\nEND:VEVENT\r\nBEGIN:VALARM\x00\x0b\x1b\x7f"
    entry = CalendarEntry("1@x", text, date(2026, 3, 9), location=text, text=text)
    (event,) = read_calendar(calendar_text([entry], stamp=STAMP)).walk("VEVENT")
    assert event["SUMMARY"] == "x\nEND:VEVENT\nBEGIN:VALARM"
    assert event.subcomponents == []


def test_lines_end_in_cr_lf_and_are_at_most_75_bytes() -> None:
    entries = lesson_entries(shown_fields([MATHS | {"room": "å" * 300}]), owner="1:0")
    text = calendar_text(entries, stamp=STAMP)
    assert text.endswith(b"END:VCALENDAR\r\n")
    assert b"\n" not in text.replace(b"\r\n", b"")
    assert all(len(line) <= 75 for line in text.split(b"\r\n"))


def test_markup_and_extra_spaces_are_removed() -> None:
    event = one(
        description="<p>Matematik <b>&amp; mera</b></p>\r\n <script>x</script>", room=" C3  "
    )
    assert (event["SUMMARY"], event["LOCATION"]) == ("Matematik & mera", "C3")
    assert one(description="Svenska & retorik")["SUMMARY"] == "Svenska & retorik"


@pytest.mark.parametrize(
    "text",
    ["Prov<br>kap 4", "Prov<BR/>kap 4", "<p>Prov</p><p>kap 4</p>", "<ul><li>Prov<li>kap 4</ul>"],
)
def test_a_line_break_in_markup_separates_words(text: str) -> None:
    assert one(description=text)["SUMMARY"] == "Prov kap 4"
    assert one(description="Pr<b>o</b>v kap&nbsp;4")["SUMMARY"] == "Prov kap 4"
    event = one(name=text, description="", room=text, teacher=text)
    assert (event["SUMMARY"], event["LOCATION"]) == ("Prov kap 4", "Prov kap 4")
    assert "Lärare: Prov kap 4" in event["DESCRIPTION"]


HIDDEN = (
    "\u202a \u202b \u202c \u202d \u202e \u2066 \u2067 \u2068 \u2069 \u061c \u200b \u200c \u200d"
    " \u200e \u200f \u2060 \ufeff \u00ad \x00 \x1b \x7f \x9b &#x202e; &#8203;"
)
FAMILY = "\U0001f469\u200d\U0001f467"


@pytest.mark.parametrize("character", HIDDEN.split(" "))
def test_what_nobody_sees_is_removed(character: str) -> None:
    event = one(description=f"{character}Mate{character}matik", room=f"B{character}204")
    assert (event["SUMMARY"], event["LOCATION"]) == ("Matematik", "B204")
    assert one(description=character)["SUMMARY"] == "Ma"
    character = html.unescape(character)
    title, text = f"Prov{character} {FAMILY}", f"a{character}\nb"
    entry = CalendarEntry("1@x", title, date(2026, 3, 9), text=text)
    calendar = read_calendar(calendar_text([entry], stamp=STAMP, child=f"Bo{character} Ek"))
    (event,) = calendar.walk("VEVENT")
    assert (event["SUMMARY"], event["DESCRIPTION"]) == (f"Prov {FAMILY}", "a\nb")
    assert calendar["X-WR-CALNAME"] == "Schema: Bo Ek"


def test_a_long_description_is_not_the_title() -> None:
    event = one(description="Läs sidan tio. " * 12)
    assert event["SUMMARY"] == "Ma"
    assert event["DESCRIPTION"].startswith("Läs sidan tio. Läs")


@pytest.mark.parametrize("missing", [None, "", 0.5, [], {}, {"a": 1}, False])
def test_missing_parts_are_left_out(missing: Any) -> None:
    bare = dict.fromkeys(("room", "teacher", "teachingGroup", "description", "endDate"), missing)
    event = one(**bare)
    assert event["SUMMARY"] == "Ma"
    assert not {"LOCATION", "DESCRIPTION", "DTEND"} & event.keys()


@pytest.mark.parametrize(
    "start", [None, "", "idag", 5, "2026-13-01T08:00", "0001-01-01T00:00+14:00", "9999-12-31T23:59"]
)
def test_a_lesson_without_a_valid_start_is_left_out(start: Any) -> None:
    assert read(MATHS | {"startDate": start}) == []


def test_an_end_before_the_start_is_ignored() -> None:
    assert "DTEND" not in one(endDate="2026-03-09T08:00")
    assert "DTEND" not in one(endDate="2026-03-09T08:20")


@pytest.mark.parametrize(
    ("start", "end", "days"),
    [
        ("2026-03-09T00:00", "2026-03-09T23:59", 1),
        ("2026-03-09T00:00", "2026-03-10T00:00", 1),
        ("2026-03-09T00:00", "2026-03-09T00:00", 1),
        ("2026-03-09T00:00", "2026-03-11T23:59", 3),
        ("2026-03-09", "2026-03-09", 1),
        ("2026-03-09", "2026-03-11", 3),
        ("2026-03-09", None, 1),
        ("2026-03-09T00:00", "2026-03-01T00:00", 1),
    ],
)
def test_whole_days_are_dates(start: str, end: str | None, days: int) -> None:
    event = one(startDate=start, endDate=end, allDay="T" in start)
    first, after = event.decoded("DTSTART"), event.decoded("DTEND")
    assert event["DTSTART"].params["VALUE"] == "DATE"
    assert (first, (after - first).days) == (date(2026, 3, 9), days)


def test_all_lessons_of_a_slot_are_kept() -> None:
    groups = [MATHS | {"eventId": 1, "description": name} for name in ("Tyska", "Spanska")]
    assert {event["SUMMARY"] for event in read(*groups)} == {"Tyska", "Spanska"}
    same_id = [MATHS, MATHS | {"room": "C3"}]
    assert len({event["UID"] for event in read(*same_id)}) == 2


def test_lessons_that_differ_only_in_attendance_are_one() -> None:
    assert len(read(MATHS, dict(MATHS), MATHS | {"studentLessonStatus": None})) == 1


def test_a_uid_does_not_depend_on_the_order_of_lessons() -> None:
    others = [MATHS | {"eventId": n} for n in (2, 3)]
    again = [*reversed(others), MATHS | {"studentLessonStatus": None, "eventColor": "#fff"}]
    assert {e["UID"] for e in read(MATHS, *others)} == {e["UID"] for e in read(*again)}
    assert one(room="C3", endDate="2026-03-09T09:30")["UID"] == one()["UID"]


def test_a_uid_depends_on_person_child_number_and_day_and_reveals_nothing() -> None:
    uids = {
        one()["UID"],
        one(eventId=1)["UID"],
        one(eventId=None)["UID"],
        one(startDate="2026-03-16T08:20")["UID"],
        *(lesson_entries([MATHS], owner=owner)[0].uid for owner in ("1:730217", "2:0")),
    }
    assert len(uids) == 6
    assert one(startDate="2026-03-09T08:30")["UID"] in uids
    assert "4410271" not in "".join(uids)
    assert "730217" not in "".join(uids)


@pytest.mark.parametrize("status", [3, "3"])
def test_a_lesson_that_the_school_calls_cancelled_is_cancelled(status: Any) -> None:
    event = one(status=status)
    assert (event["STATUS"], event["SUMMARY"]) == ("CANCELLED", "Matematik")
    assert event["TRANSP"] == "TRANSPARENT"
    assert event["DESCRIPTION"].splitlines()[0] == "Inställd"


@pytest.mark.parametrize("status", [-1, 0, 2, 4, True, None, "x", [3], 3.0])
def test_any_other_status_is_no_status(status: Any) -> None:
    assert not {"STATUS", "TRANSP"} & one(status=status).keys()


def test_only_the_fields_of_a_calendar_are_kept() -> None:
    (shown,) = shown_fields([MATHS])
    assert shown.keys() <= set(FIELDS)
    assert "sjuk" not in repr(shown)


def test_the_same_lessons_give_the_same_bytes() -> None:
    lessons = [MATHS | {"eventId": n, "room": f"C{n}"} for n in range(5)]
    texts = {
        calendar_text(lesson_entries(shown_fields(order), owner="1:0"), stamp=STAMP)
        for order in (lessons, lessons[::-1])
    }
    assert len(texts) == 1


def test_an_empty_calendar_is_valid() -> None:
    calendar = read_calendar(calendar_text([], stamp=STAMP))
    assert [part.name for part in calendar.subcomponents] == ["VTIMEZONE"]
    assert calendar["VERSION"] == "2.0"
    assert calendar["X-WR-CALNAME"] == "Schema"
    assert calendar["REFRESH-INTERVAL"].params["VALUE"] == "DURATION"
    assert calendar["X-PUBLISHED-TTL"] == "PT1H"
