"""The school's own messages. Nothing is marked as read: the page does that with a GET of its own
(`action=view`), which this service never sends."""

from datetime import datetime

from upstream.calls.news import STOCKHOLM
from upstream.client import UpstreamClient
from upstream.endpoints import MESSAGE_PAGE
from upstream.page_records import InboxPage
from upstream.pages.inbox import read_inbox
from upstream.records import ProvenSession


def fetch_inbox(client: UpstreamClient, *, web: ProvenSession, offset: int) -> InboxPage:
    """The messages after the first `offset`, as many as the school puts on a page.

    Raises: as `UpstreamClient.fetch_page`, and UpstreamChanged.
    """
    query: dict[str, str | int] = {"folder": "inbox"}
    if offset:
        query["offset"] = offset
    page = client.fetch_page(MESSAGE_PAGE, web=web, query=query)
    return read_inbox(page, datetime.now(STOCKHOLM).date())
