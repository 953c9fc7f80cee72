"""The personal data of this app. School data is only in the store, sealed, for minutes."""

from collections.abc import Iterator

from accounts.personal_data import Document, PersonalData, Table
from schoolproxy.models import CalendarFeed
from schoolproxy.services.feeds import drop_feed

TABLES = [
    Table(
        model="schoolproxy.CalendarFeed",
        purpose="a calendar for programs that cannot sign in",
        retention="until it is revoked; the weeks for at most 30 days",
        erasure="deleted",
        personal=["created_at"],
        withheld={
            "address": "a secret token; encrypted, and shown at /api/schedule/feed",
            "address_hash": "for look-up; a keyed hash",
            "weeks": "lessons from the school's system; sealed",
            "weeks_at": "when they were read",
            "asked_at": "when the school was last asked",
            "trouble": "why that failed",
        },
        technical=["account"],
    ),
]


def export(account_id: int) -> Iterator[Document]:
    feeds = CalendarFeed.objects.filter(pk=account_id).values_list("created_at", flat=True)
    yield "calendar_feed.json", [{"createdAt": created_at} for created_at in feeds]


PERSONAL_DATA = PersonalData(TABLES, export, drop_feed)
