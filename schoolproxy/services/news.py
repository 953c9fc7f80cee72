"""The news on a person's start page."""

from dataclasses import asdict
from typing import Any

from accounts.callers import Caller
from schoolproxy.reads import Fields, SchoolRead
from schoolproxy.services.watch import own_reads
from upstream.calls.news import fetch_news
from upstream.records import ChosenChild, ProvenSession
from upstream.shared_client import client


def news_read() -> SchoolRead:
    answer: list[dict[str, Any]] = []

    def fetch(web: ProvenSession) -> Fields:
        answer[:] = map(asdict, fetch_news(client(), web=web))
        return {"data": list(answer)}

    def after_fetch(caller: Caller, child: ChosenChild | None) -> None:
        own_reads.compare(caller, child, "news", answer)

    return SchoolRead("news", fetch, counter="news_fetch", after_fetch=after_fetch)
