"""The facts that are counted, and the fields and histograms of the public answer."""

import re
from typing import Literal, get_args

from django.utils import timezone

Fact = Literal[
    "api_call",
    "assignment_fetch",
    "conversation",
    "login",
    "login_failed",
    "login_first",  # the first login of an account; their sum is the number of accounts
    "lunch_fetch",
    "message",
    "news_fetch",
    "note",
    "reaction",
    "schedule_view",
    "school_change",  # what the watch of the school told people
    "school_look",
]
Histogram = Literal["messageHours", "loginHours", "loginDays", "schools", "peakDates"]
BucketKey = tuple[Histogram, str]

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
    "totalSchoolLooks": "school_look",
    "totalSchoolChanges": "school_change",
}
FACTS = frozenset(TOTALS.values())
HISTOGRAMS: tuple[Histogram, ...] = get_args(Histogram)
OTHER = "other"
# A slug that fits its column: a value that the database refuses would block every later flush.
_SLUG = re.compile(r"[a-z0-9][a-z0-9_-]{0,62}\Z")


def buckets_for(name: Fact, school: str | None) -> list[BucketKey]:
    """The histogram buckets that one more `name` adds to, now, in Stockholm.

    Days are "0" (Sunday) to "6", dates ISO. Raises: ValueError if `school` is not a slug.
    """
    if school is not None and not _SLUG.match(school):
        raise ValueError("not a slug")
    if name not in ("message", "login"):
        return []
    now = timezone.localtime()
    if name == "message":
        return [("messageHours", str(now.hour))]
    buckets: list[BucketKey] = [
        ("loginHours", str(now.hour)),
        ("loginDays", str(now.isoweekday() % 7)),
        ("peakDates", now.date().isoformat()),
    ]
    if school is not None:
        buckets.append(("schools", school))
    return buckets
