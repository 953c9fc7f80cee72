"""The news of the start page, and the articles of the news page."""

from datetime import datetime
from typing import Final
from zoneinfo import ZoneInfo

from upstream.client import UpstreamClient
from upstream.endpoints import NEWS_PAGE, START_PAGE
from upstream.page_records import Article
from upstream.pages.articles import read_articles
from upstream.pages.news import read_news
from upstream.records import NewsItem, ProvenSession

STOCKHOLM: Final = ZoneInfo("Europe/Stockholm")
# The page's word for current articles and for older ones.
CURRENT: Final = 1
OLDER: Final = 2


def fetch_news(client: UpstreamClient, *, web: ProvenSession) -> list[NewsItem]:
    """The news on this person's start page, in page order.

    Raises: as `UpstreamClient.fetch_page`, and UpstreamChanged.
    """
    return read_news(client.fetch_page(START_PAGE, web=web))


def fetch_articles(client: UpstreamClient, *, web: ProvenSession, kind: int) -> list[Article]:
    """The articles of the news page in full, in page order; `kind` is CURRENT or OLDER.

    Raises: as `UpstreamClient.fetch_page`, and UpstreamChanged.
    """
    page = client.fetch_page(NEWS_PAGE, web=web, query={"type": kind})
    return read_articles(page, datetime.now(STOCKHOLM).date())
