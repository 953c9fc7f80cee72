"""A Redis server for tests, so that they empty nobody else's."""

import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import urlsplit

import pytest
import redis

from tests.concurrency import wait_until
from tests.notifications.certificates import Certificates
from tests.ports import free_port

READY_SECONDS = 30.0


@contextmanager
def running(tls: Certificates | None = None) -> Iterator[str]:
    """The URL of a server that stores nothing. Skips the test where Redis is not installed."""
    if shutil.which("redis-server") is None:
        pytest.skip("needs redis-server")
    port = free_port()
    url = f"redis://127.0.0.1:{port}/0"
    command = ["redis-server", "--port", str(port), "--bind", "127.0.0.1"]
    if tls:
        url = f"rediss://localhost:{port}/0"
        command[1:3] = ["--port", "0", "--tls-port", str(port), "--tls-auth-clients", "no"]
        command += ["--tls-cert-file", str(tls.server), "--tls-key-file", str(tls.server)]
        command += ["--tls-ca-cert-file", str(tls.authority)]
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
    # Whatever its certificate is worth.
    options = {"ssl_cert_reqs": "none"} if url.startswith("rediss:") else {}
    with redis.Redis.from_url(url, socket_timeout=1, **options) as client:
        try:
            return bool(client.ping())
        except redis.RedisError:
            return False


def database_beside(url: str) -> str:
    """A database of the suite's own server that nothing else in this run uses, not even its other
    workers."""
    parts = urlsplit(url)
    return parts._replace(path=f"/{(int(parts.path.strip('/') or 0) + 8) % 16}").geturl()
