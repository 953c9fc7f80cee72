"""The news on a person's start page."""

from accounts.callers import Caller
from schoolproxy.reads import Fields, SchoolRead
from upstream.calls.news import fetch_news
from upstream.records import ProvenSession
from upstream.shared_client import client


def news_read() -> SchoolRead:
    def fetch(caller: Caller, web: ProvenSession) -> Fields:
        return {
            "data": [
                {
                    "id": item.id,
                    "title": item.title,
                    "preview": item.preview,
                    "category": item.category,
                }
                for item in fetch_news(client(), school=caller.school, web=web)
            ]
        }

    return SchoolRead("news", fetch, counter="news_fetch")
