from collections.abc import Iterator

import pytest

from tests.architecture.sources import read


@pytest.fixture(autouse=True, scope="module")
def sources_are_forgotten() -> Iterator[None]:
    """The parsed files use 150 MB, in each process of the tests that comes by here."""
    yield
    read.cache_clear()
