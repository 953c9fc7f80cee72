"""A Redis server of our own, on a port of its own, that may be taken away."""

import os
import signal
import subprocess
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Self

import redis

from benchmarks.closed_loop import CouldNotRun
from benchmarks.processes import free_port, start, stop

MISSING = "redis-server is missing. Debian, Ubuntu: apt-get install redis-server"


class TemporaryRedis:
    """It keeps nothing on disk. Between `with` and its end it runs, unless note otherwise."""

    def __init__(self) -> None:
        self.port = free_port()
        self._process: subprocess.Popen[bytes] | None = None
        # What we start is bound to the thread that starts it: this one lives as long as we do.
        self._starter = ThreadPoolExecutor(1)

    @property
    def url(self) -> str:
        return f"redis://127.0.0.1:{self.port}/0"

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._process is not None:
            stop(self._process)
        self._starter.shutdown()

    def start(self) -> None:
        """Start, empty, and wait until it answers. Raises CouldNotRun."""
        self._starter.submit(self._start).result()

    def _start(self) -> None:
        command = ["redis-server", "--port", str(self.port), "--bind", "127.0.0.1"]
        self._process = start([*command, "--save", "", "--appendonly", "no"])
        client = redis.Redis.from_url(self.url, socket_timeout=1)
        deadline = time.monotonic() + 5
        while True:
            try:
                client.ping()
                break
            except redis.RedisError as error:
                if time.monotonic() > deadline:
                    raise CouldNotRun("redis-server did not start") from error
                time.sleep(0.05)
        client.close()

    def kill(self) -> None:
        """Gone at once: its port refuses from now on."""
        assert self._process is not None
        os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()

    def freeze(self) -> None:
        """It still takes connections, and answers none."""
        assert self._process is not None
        os.killpg(self._process.pid, signal.SIGSTOP)

    def resume(self) -> None:
        """It answers again."""
        assert self._process is not None
        os.killpg(self._process.pid, signal.SIGCONT)
