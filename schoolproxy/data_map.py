"""What this app keeps of a person. School data itself is only in the store, sealed, for minutes."""

from collections.abc import Iterator

from accounts.personal_data import Document, PersonalData, Table
from schoolproxy.models import CalendarFeed
from schoolproxy.services.feeds import drop_feed

TABLES = [
    Table(
        model="schoolproxy.CalendarFeed",
        purpose="a schedule for programs that cannot sign in",
        retention="until it is revoked; the weeks at most 30 days",
        erasure="deleted",
        personal=["created_at"],
        withheld={
            "address": "a key; encrypted, and shown at /api/schedule/feed",
            "address_hash": "finds the feed; says nothing without our key",
            "weeks": "lessons as the school's system has them; sealed",
            "weeks_at": "when they were read",
            "asked_at": "when the school was last asked",
            "trouble": "why it could not be asked",
        },
        technical=["account"],
    ),
]


def export(account_id: int) -> Iterator[Document]:
    """That there is a feed, and since when."""
    feeds = CalendarFeed.objects.filter(pk=account_id).values_list("created_at", flat=True)
    yield "calendar_feed.json", [{"createdAt": created_at} for created_at in feeds]


PERSONAL_DATA = PersonalData(TABLES, export, drop_feed)
