"""What a lesson of upstream's says to a reader: the one place for calendars, feeds and the web app.

Upstream's times have no time zone and mean Stockholm. Its texts may have markup, and lists without
spaces.
"""

import html
import re
from datetime import date, datetime, time, timedelta
from typing import Any, Final

import nh3
from django.utils import timezone

from accounts.invisible_characters import visible_text
from upstream.calls.json_values import whole_number
from upstream.pages.html import BLOCKS

MAX_LENGTH = 300
MAX_TITLE = 100
# Anything beyond is an error of upstream's, and calendar programs may fail on it.
YEARS = range(1990, 2101)
# Upstream's `status` of a lesson: its own calendar strikes the first through, and the other is a
# break or a duty. The rest say attendance.
_CANCELLED: Final = 3
_BREAK: Final = -1
_BLOCK = re.compile(rf"<(?=/?(?:{'|'.join(sorted(BLOCKS))})\b)", re.IGNORECASE)

Row = dict[str, Any]


def shown_lesson(lesson: Row) -> Row:
    """The lesson in plain words.

    `start` and `end` are naive (`YYYY-MM-DDTHH:MM`), None where upstream's value is no date;
    `firstDay` and `lastDay` are the days on which it is, both inclusive. `text` is what upstream
    says beside the title.
    """
    start, end = start_of(lesson), datetime_of(lesson.get("endDate"))
    title, text = title_and_text(lesson)
    return {
        "title": title,
        "text": text,
        "room": listed(lesson.get("room")),
        "teacher": listed(lesson.get("teacher")),
        "group": listed(lesson.get("teachingGroup")),
        "start": _naive(start),
        "end": _naive(end) if start and end and end > start else None,
        "firstDay": start and str(start.date()),
        "lastDay": start and str(last_day(lesson, start)),
        "allDay": is_all_day(lesson),
        "isBreak": is_break(lesson),
        "cancelled": is_cancelled(lesson),
    }


def title_and_text(lesson: Row) -> tuple[str, str]:
    """Subjects have short names in a lesson ("Ma"), and their full one mostly in the description.
    What is too long for a title is the text."""
    name, described = plain(lesson.get("name")), plain(lesson.get("description"))
    title = described if 0 < len(described) <= MAX_TITLE else name or described[:MAX_TITLE] or "?"
    return title, described if described != title else ""


def is_cancelled(lesson: Row) -> bool:
    return whole_number(lesson.get("status")) == _CANCELLED


def is_break(lesson: Row) -> bool:
    status = lesson.get("status")
    return status in (_BREAK, str(_BREAK)) if isinstance(status, int | str) else False


def is_all_day(lesson: Row) -> bool:
    return lesson.get("allDay") is True or _is_date(lesson.get("startDate"))


def start_of(lesson: Row) -> datetime | None:
    """When a lesson begins, in Stockholm's time; None when upstream's value is not valid."""
    return datetime_of(lesson.get("startDate"))


def datetime_of(value: Any) -> datetime | None:
    """A time of upstream's, aware; None when it is not valid."""
    if not isinstance(value, str):
        return None
    try:
        moment = datetime.fromisoformat(value.strip())
        if moment.tzinfo is not None:
            moment = timezone.make_naive(moment)
    except (ValueError, OverflowError):
        return None
    if moment.year not in YEARS:
        return None
    return moment.replace(tzinfo=timezone.get_default_timezone())


def last_day(lesson: Row, start: datetime) -> date:
    """The last day of a lesson. The end of an all-day one at midnight belongs to the day before;
    any other ends on the day on which it begins."""
    end = datetime_of(lesson.get("endDate"))
    if not is_all_day(lesson) or end is None or end.date() <= start.date():
        return start.date()
    if not _is_date(lesson.get("endDate")) and end.time() == time():
        return end.date() - timedelta(days=1)
    return end.date()


def plain(value: Any) -> str:
    """The value as one line without markup and invisible characters, a space between blocks."""
    text = str(value) if isinstance(value, str | int) and not isinstance(value, bool) else ""
    if "<" in text or "&" in text:
        text = html.unescape(nh3.clean(_BLOCK.sub(" <", text), tags=set()))
    return " ".join(visible_text(text).split())


def listed(value: Any) -> str:
    """A comma-separated list of upstream's, with a space after each comma."""
    return ", ".join(filter(None, (part.strip() for part in plain(value).split(","))))


def _naive(moment: datetime | None) -> str | None:
    return moment.replace(tzinfo=None).isoformat(timespec="minutes") if moment else None


def _is_date(value: Any) -> bool:
    """Whether it is a date without a time."""
    return isinstance(value, str) and ":" not in value
