"""What a person's school has switched on."""

from schoolproxy.limits import FEATURES_SECONDS
from schoolproxy.reads import Fields, SchoolRead
from upstream.calls.menu import fetch_features
from upstream.records import ProvenSession
from upstream.shared_client import client


def features_read() -> SchoolRead:
    def fetch(web: ProvenSession) -> Fields:
        return {"features": fetch_features(client(), web=web)}

    return SchoolRead("features", fetch, fresh_seconds=FEATURES_SECONDS)
