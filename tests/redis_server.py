"""A Redis server for tests, so that they empty nobody else's."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import urlsplit

import pytest

from benchmarks.temporary_redis import TemporaryRedis
from tests.ports import free_port


@contextmanager
def running() -> Iterator[TemporaryRedis]:
    """A server that stores nothing. Skips the test where Redis is not installed."""
    if shutil.which("redis-server") is None:
        pytest.skip("needs redis-server")
    with TemporaryRedis(free_port()) as server:
        yield server


def database_beside(url: str) -> str:
    """A database of the suite's own server that nothing else in this run uses, not even its other
    workers."""
    parts = urlsplit(url)
    return parts._replace(path=f"/{(int(parts.path.strip('/') or 0) + 8) % 16}").geturl()
