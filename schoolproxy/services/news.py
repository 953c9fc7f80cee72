"""The news on a person's start page."""

from dataclasses import asdict

from accounts.callers import Caller
from schoolproxy.reads import Fields, SchoolRead
from schoolproxy.services.watch import own_reads
from upstream.calls.news import fetch_news
from upstream.records import ChosenChild, ProvenSession
from upstream.shared_client import client


def news_read() -> SchoolRead:
    def fetch(web: ProvenSession) -> Fields:
        return {"data": [asdict(item) for item in fetch_news(client(), web=web)]}

    def after_fetch(caller: Caller, child: ChosenChild | None, fields: Fields) -> None:
        own_reads.compare(caller, child, "news", fields["data"])

    return SchoolRead("news", fetch, counter="news_fetch", after_fetch=after_fetch)
