"""Makes Redis unreachable during a test."""

from pytest_django.fixtures import Settings

import store
from wrapper_project.settings import cache_settings


def take_the_store_away(settings: Settings, url: str = "redis://127.0.0.1:9/0") -> None:
    """Until the end of the test, nothing answers at the address of the store."""
    settings.REDIS_URL = url
    settings.CACHES = cache_settings(url)
    store._cache.cache_clear()
