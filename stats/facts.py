"""What is counted, and where each count shows up in the public answer."""

import re
from datetime import datetime
from typing import Literal

from django.utils.timezone import get_default_timezone

Fact = Literal[
    "api_call",
    "assignment_fetch",
    "conversation",
    "login",
    "login_failed",
    "login_first",  # the first login of an account ever: what "unique logins" adds up
    "lunch_fetch",
    "message",
    "news_fetch",
    "note",
    "reaction",
    "schedule_view",
]
Histogram = Literal["messageHours", "loginHours", "loginDays", "schools", "peakDates"]

# Field of `GET /api/stats` -> fact.
TOTALS: dict[str, Fact] = {
    "totalLogins": "login",
    "failedLogins": "login_failed",
    "uniqueLogins": "login_first",
    "totalApiCalls": "api_call",
    "totalMessagesSent": "message",
    "totalConversations": "conversation",
    "totalReactions": "reaction",
    "totalNotesCreated": "note",
    "totalScheduleViews": "schedule_view",
    "totalAssignmentFetches": "assignment_fetch",
    "totalLunchFetches": "lunch_fetch",
    "totalNewsFetches": "news_fetch",
}
FACTS = frozenset(TOTALS.values())
HISTOGRAMS: tuple[Histogram, ...] = (
    "messageHours",
    "loginHours",
    "loginDays",
    "schools",
    "peakDates",
)
OTHER = "other"
# What fits a row: one value that the database refuses would hold up all the others for ever.
_SLUG = re.compile(r"[a-z0-9][a-z0-9_-]{0,62}\Z")


def time_buckets(epoch_hour: int) -> tuple[str, str, str]:
    """Hour `"0".."23"`, day `"0"` (Sunday) `.. "6"` and ISO date in Stockholm.

    `epoch_hour` counts hours since 1970 UTC: Stockholm is always whole hours away from UTC, so
    the three stay the same for all of it.
    """
    moment = datetime.fromtimestamp(epoch_hour * 3600, get_default_timezone())
    return str(moment.hour), str(moment.isoweekday() % 7), moment.date().isoformat()


def buckets_for(
    name: Fact, times: tuple[str, str, str], school: str | None
) -> list[tuple[Histogram, str]]:
    """The histogram buckets that one more `name` belongs to.

    Raises: ValueError where `school` is no slug.
    """
    if school is not None and not _SLUG.match(school):
        raise ValueError("not a slug")
    hour, day, date = times
    if name == "message":
        return [("messageHours", hour)]
    if name != "login":
        return []
    buckets: list[tuple[Histogram, str]] = [
        ("loginHours", hour),
        ("loginDays", day),
        ("peakDates", date),
    ]
    if school is not None:
        buckets.append(("schools", school))
    return buckets
