"""The news of the start page."""

from upstream.client import UpstreamClient
from upstream.endpoints import START_PAGE
from upstream.pages.news import read_news
from upstream.records import NewsItem, ProvenSession


def fetch_news(client: UpstreamClient, *, web: ProvenSession) -> list[NewsItem]:
    """The news on this person's start page, in page order.

    Raises: as `UpstreamClient.fetch_page`, and UpstreamChanged.
    """
    return read_news(client.fetch_page(START_PAGE, web=web))
