"""A temporary Redis server, which scenarios and tests may kill or freeze."""

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
    """Stores nothing on disk. Runs between `with` and its end, except after `kill`."""

    def __init__(self, port: int = 0) -> None:
        self.port = port or free_port()
        self._process: subprocess.Popen[bytes] | None = None
        # A child ends with the thread that started it (setpriv --pdeathsig); this thread lives on.
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
        deadline = time.monotonic() + 10
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
        """Kill it: connections to its port are refused."""
        assert self._process is not None
        os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()

    def freeze(self) -> None:
        """Suspend it: it accepts connections and does not answer."""
        assert self._process is not None
        os.killpg(self._process.pid, signal.SIGSTOP)

    def resume(self) -> None:
        """Let it answer again."""
        assert self._process is not None
        os.killpg(self._process.pid, signal.SIGCONT)
