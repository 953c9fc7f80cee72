from collections.abc import Iterator

import pytest

from stats import counters, totals


@pytest.fixture(autouse=True)
def nothing_counted_yet() -> Iterator[None]:
    counters._counters.reset()
    totals.latest_publication.cache_clear()
    yield
    counters._counters.reset()
    totals.latest_publication.cache_clear()
