import pytest


@pytest.fixture(autouse=True)
def nothing_counted_yet(nothing_counted: None) -> None:
    """For every test of statistics."""
