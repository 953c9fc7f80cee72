"""A temporary PostgreSQL server, which scenarios may kill and start again."""

import contextlib
import glob
import os
import shutil
import signal
import subprocess
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Self

import psycopg

from benchmarks.closed_loop import CouldNotRun
from benchmarks.processes import children, free_port, start, stop

MISSING = "PostgreSQL's own programs are missing. Debian, Ubuntu: apt-get install postgresql"
READY_SECONDS = 30.0  # seconds to become ready, recovery included


def program(name: str) -> str | None:
    """The path of one of PostgreSQL's programs; on Debian they are not in PATH."""
    found = sorted(glob.glob(f"/usr/lib/postgresql/*/bin/{name}"))  # noqa: PTH207
    return found[-1] if found else shutil.which(name)


def _as_postgres(command: list[str]) -> list[str]:
    """The command, run as the user postgres if we are root."""
    if os.getuid():
        return command
    return ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups", *command]


class TemporaryPostgres:
    """With the default durability. Runs between `with` and its end, except after `kill`."""

    def __init__(self) -> None:
        self.port = free_port()
        self._folder = tempfile.TemporaryDirectory(prefix="wrapper-bench-postgres-")
        self._data = Path(self._folder.name) / "data"
        self._process: subprocess.Popen[bytes] | None = None
        # A child ends with the thread that started it (setpriv --pdeathsig); this thread lives on.
        self._starter = ThreadPoolExecutor(1)

    @property
    def url(self) -> str:
        return f"postgres://postgres@127.0.0.1:{self.port}/postgres"

    def __enter__(self) -> Self:
        initdb = program("initdb")
        if initdb is None or program("postgres") is None:
            raise CouldNotRun(MISSING)
        if not os.getuid():
            shutil.chown(self._folder.name, "postgres", "postgres")
        command = [initdb, "-D", str(self._data), "-U", "postgres", "-A", "trust", "-E", "UTF8"]
        made = subprocess.run(
            _as_postgres(command), cwd=self._folder.name, capture_output=True, check=False
        )
        if made.returncode:
            raise CouldNotRun(f"initdb: {made.stderr.decode()[-300:]}")
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._process is not None and self._process.poll() is None:
            self._process.send_signal(signal.SIGINT)  # without waiting for its clients
            stop(self._process)
        self._starter.shutdown()
        self._folder.cleanup()

    def start(self) -> None:
        """Start, recover, and wait until it answers. Raises: CouldNotRun."""
        self._starter.submit(self._start).result()

    def _start(self) -> None:
        command = [program("postgres") or "postgres", "-D", str(self._data), "-p", str(self.port)]
        command += ["-c", "listen_addresses=127.0.0.1", "-k", self._folder.name]
        self._process = start(_as_postgres(command), stderr=subprocess.DEVNULL)
        deadline = time.monotonic() + READY_SECONDS
        while True:
            try:
                psycopg.connect(self.url, connect_timeout=2).close()
                return
            except psycopg.OperationalError as error:
                if time.monotonic() > deadline:
                    raise CouldNotRun("the temporary PostgreSQL did not start") from error
                time.sleep(0.05)

    def kill(self) -> None:
        """Kill all its processes at once, as in a power cut."""
        assert self._process is not None
        # Its children have process groups of their own, and would keep its memory for a while.
        for pid in (self._process.pid, *children(self._process.pid)):
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        self._process.wait()
