"""The process that serves sockets, with the same stores as the one that serves requests."""

import http.client
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Self

from benchmarks.closed_loop import CouldNotRun
from benchmarks.processes import children, cpu_seconds, free_port, resident_mib, start, stop
from benchmarks.service import Service

COMMAND = ["-c", "deploy/sockets.conf.py", "wrapper_project.asgi:application"]
READY_SECONDS = 40.0  # seconds to become ready


class SocketServer:
    """As it is shipped, on the core of the service. Runs between `with` and its end."""

    def __init__(self, service: Service) -> None:
        self.port = free_port()
        self._service = service
        self._folder = tempfile.TemporaryDirectory(prefix="wrapper-bench-sockets-")
        self._log = Path(self._folder.name) / "sockets.log"
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Self:
        variables = self._service.variables | {"SOCKETS_PORT": str(self.port)}
        with self._log.open("ab") as sink:
            self._process = start(
                [sys.executable, "-m", "gunicorn", *COMMAND],
                core=self._service.core,
                root=self._service.root,
                environment=variables,
                stdout=sink,
                stderr=sink,
            )
        try:
            self._wait(self._process)
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        if self._process is not None:
            stop(self._process)
        self._folder.cleanup()

    def _wait(self, process: "subprocess.Popen[bytes]") -> None:
        deadline = time.monotonic() + READY_SECONDS
        while time.monotonic() < deadline and process.poll() is None:
            connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=5)
            try:
                connection.request("GET", "/healthz")
                if connection.getresponse().status == 200:
                    return
            except OSError:
                time.sleep(0.1)
            finally:
                connection.close()
        raise CouldNotRun("the server for sockets did not start:\n" + self._log.read_text()[-2000:])

    @property
    def _worker(self) -> int:
        assert self._process is not None
        return children(self._process.pid)[0]

    def cpu(self) -> float:
        """CPU seconds so far."""
        return cpu_seconds(self._worker)

    def memory(self) -> float:
        """Resident memory in MiB."""
        return resident_mib(self._worker)
