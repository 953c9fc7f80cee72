"""The news on a person's start page."""

from accounts.callers import Caller
from accounts.services.identity import ask_upstream
from schoolproxy.cache import Answer, Asked, Fields, answer_through_cache, personal
from stats import counters
from upstream.calls.news import fetch_news
from upstream.shared_client import client

COPY_NAME = "news"


def read_news(caller: Caller, *, asked: Asked) -> Answer:
    """The news in page order.

    Raises: NotSignedIn, NotForThisRole, TooManyRequests, upstream's errors.
    """
    counters.count("news_fetch", account=caller.account_id)

    def fetch() -> Fields:
        items = ask_upstream(
            caller, lambda web: fetch_news(client(), school=caller.school, web=web)
        )
        return {
            "data": [
                {
                    "id": item.id,
                    "title": item.title,
                    "preview": item.preview,
                    "category": item.category,
                }
                for item in items
            ]
        }

    shelf = personal(caller.hint)
    return answer_through_cache(caller, COPY_NAME, shelf=shelf, asked=asked, fetch=fetch)
