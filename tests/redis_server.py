"""A Redis server for tests, so that they empty nobody else's."""

import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import urlsplit

import pytest
import redis

from tests.concurrency import wait_until
from tests.ports import free_port

READY_SECONDS = 30.0


@contextmanager
def running() -> Iterator[str]:
    """The URL of a server that stores nothing. Skips the test where Redis is not installed."""
    if shutil.which("redis-server") is None:
        pytest.skip("needs redis-server")
    port = free_port()
    url = f"redis://127.0.0.1:{port}/0"
    command = ["redis-server", "--port", str(port), "--bind", "127.0.0.1"]
    process = subprocess.Popen(
        [*command, "--save", "", "--appendonly", "no"], stdout=subprocess.DEVNULL
    )
    try:
        wait_until(lambda: _answers(url), seconds=READY_SECONDS)
        yield url
    finally:
        process.kill()
        process.wait()


def _answers(url: str) -> bool:
    with redis.Redis.from_url(url, socket_timeout=1) as client:
        try:
            return bool(client.ping())
        except redis.RedisError:
            return False


def database_beside(url: str) -> str:
    """A database of the suite's own server that nothing else in this run uses, not even its other
    workers."""
    parts = urlsplit(url)
    return parts._replace(path=f"/{(int(parts.path.strip('/') or 0) + 8) % 16}").geturl()
