"""A Redis server for tests, so that they empty nobody else's."""

import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import pytest
import redis
from redis.backoff import ConstantBackoff
from redis.retry import Retry

from tests.ports import free_port

_STARTING = Retry(ConstantBackoff(0.05), 200)


@contextmanager
def running(folder: Path) -> Iterator[str]:
    """The URL of a server that stores nothing. Skips the test where Redis is not installed."""
    program = shutil.which("redis-server")
    if program is None:
        pytest.skip("needs redis-server")
    port = free_port()
    options = {"bind": "127.0.0.1", "port": str(port), "save": "", "dir": str(folder)}
    command = [program, *(word for name, value in options.items() for word in (f"--{name}", value))]
    with (folder / "log").open("wb") as log:
        process = subprocess.Popen(command, stdout=log, stderr=log)
    try:
        url = f"redis://127.0.0.1:{port}/0"
        with redis.Redis.from_url(url, retry=_STARTING) as client:
            client.ping()
        yield url
    finally:
        process.terminate()
        process.wait(10)


def database_beside(url: str) -> str:
    """A database of the suite's own server that nothing else in this run uses, not even its other
    workers."""
    parts = urlsplit(url)
    return parts._replace(path=f"/{(int(parts.path.strip('/') or 0) + 8) % 16}").geturl()
