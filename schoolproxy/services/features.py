"""What a person's school has switched on, and where its own pages are."""

from typing import Final

from django.conf import settings

from schoolproxy.limits import FEATURES_SECONDS
from schoolproxy.reads import Fields, SchoolRead
from upstream.calls.menu import fetch_features
from upstream.endpoints import LIBRARY_PAGE, MESSAGE_PAGE, NEWS_PAGE, STAFF_PAGE
from upstream.records import ProvenSession
from upstream.shared_client import client

_PAGES: Final = {
    "news": NEWS_PAGE,
    "inbox": MESSAGE_PAGE,
    "staff": STAFF_PAGE,
    "files": LIBRARY_PAGE,
}


def features_read() -> SchoolRead:
    def fetch(web: ProvenSession) -> Fields:
        school = f"{settings.UPSTREAM_URL}/{web.school}"
        pages = {name: school + path for name, path in _PAGES.items()}
        return {"features": fetch_features(client(), web=web), "pages": pages}

    return SchoolRead("menu", fetch, fresh_seconds=FEATURES_SECONDS)
