"""A process of the service, started as it is shipped: gunicorn with its workers."""

import http.client
import os
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Self

from benchmarks.closed_loop import CouldNotRun
from benchmarks.processes import (
    ROOT,
    children,
    cpu_seconds,
    free_port,
    resident_mib,
    start,
    stop,
)

READY_SECONDS = 40  # seconds to become ready
SERVES = {
    "web": ("deploy/http.conf.py", "wrapper_project.wsgi:application", "WEB_PORT"),
    "sockets": ("deploy/sockets.conf.py", "wrapper_project.asgi:application", "SOCKETS_PORT"),
}


class Server:
    """`kind` is a key of `SERVES`. `core` is the one that it is pinned to, `root` the checkout that
    it runs. Runs between `with` and its end, or between `start` and `stop`."""

    def __init__(
        self,
        kind: str,
        variables: Mapping[str, str],
        log: Path,
        *,
        core: int | None = None,
        root: Path = ROOT,
        application: str = "",
    ) -> None:
        self.kind = kind
        self.port = free_port()
        self.log = log
        self.core = core
        self.root = root
        conf, usual, port = SERVES[kind]
        self.variables = {**variables, "BIND_HOST": "127.0.0.1", port: str(self.port)}
        self._command = [sys.executable, "-m", "gunicorn", "-c", conf, application or usual]
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Self:
        self.start()
        try:
            self.wait()
        except BaseException:
            self.stop()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def start(self) -> None:
        """Start the process without waiting; see `wait`."""
        with self.log.open("ab") as sink:
            self._process = start(
                self._command,
                core=self.core,
                environment=self.variables,
                root=self.root,
                stdout=sink,
                stderr=sink,
            )

    def wait(self) -> None:
        """Wait until it is ready. Raises: CouldNotRun."""
        deadline = time.monotonic() + READY_SECONDS
        while time.monotonic() < deadline and self._process and self._process.poll() is None:
            if get_status(self.port, "/readyz") == 200:
                return
            time.sleep(0.1)
        raise CouldNotRun(f"a server did not become ready:\n{tail(self.log)}")

    def stop(self) -> None:
        """Stop it gracefully: running requests may finish."""
        if self._process is not None:
            stop(self._process, timeout=30)

    def kill(self) -> None:
        """SIGKILL to master and workers."""
        assert self._process is not None
        os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()

    @property
    def workers(self) -> list[int]:
        """Their process ids."""
        assert self._process is not None
        return children(self._process.pid)

    def cpu(self) -> float:
        """CPU seconds of the workers so far."""
        return sum(map(cpu_seconds, self.workers))

    def memory(self) -> float:
        """Resident memory of the workers in MiB."""
        return sum(map(resident_mib, self.workers))


def tail(log: Path) -> str:
    """The last lines of a log."""
    return "\n".join(log.read_text(encoding="utf-8", errors="replace").splitlines()[-15:])


def get_status(port: int, path: str) -> int:
    """The status of a GET; 0 if there is no answer."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    try:
        connection.request("GET", path)
        return connection.getresponse().status
    except (OSError, http.client.HTTPException):
        return 0
    finally:
        connection.close()
