"""A PostgreSQL server that a test may kill and start again."""

import contextlib
import os
import shutil
import signal
import subprocess
import tempfile
from pathlib import Path
from typing import Self

import psycopg

from tests.concurrency import wait_until
from tests.ports import free_port

MISSING = "PostgreSQL's own programs are missing. Debian, Ubuntu: apt-get install postgresql"
READY_SECONDS = 30.0  # recovery included


def program(name: str) -> str | None:
    """The path of one of PostgreSQL's programs; on Debian they are not in PATH."""
    installed = sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{name}"))
    return str(installed[-1]) if installed else shutil.which(name)


def _as_postgres(command: list[str]) -> list[str]:
    """The command, run as the user postgres if we are root, as whom it refuses to run."""
    if os.getuid():
        return command
    return ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups", *command]


class TemporaryPostgres:
    """With the default durability. Runs between `with` and its end, except after `kill`."""

    def __init__(self) -> None:
        self.port = free_port()
        self._folder = tempfile.TemporaryDirectory(prefix="wrapper-postgres-")
        self._data = Path(self._folder.name) / "data"
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        return f"postgres://postgres@127.0.0.1:{self.port}/postgres"

    def __enter__(self) -> Self:
        if not os.getuid():
            shutil.chown(self._folder.name, "postgres", "postgres")
        command = [program("initdb") or "initdb", "-D", str(self._data)]
        command += ["-U", "postgres", "-A", "trust", "-E", "UTF8"]
        subprocess.run(
            _as_postgres(command), cwd=self._folder.name, capture_output=True, check=True
        )
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._process is not None and self._process.poll() is None:
            self._process.send_signal(signal.SIGINT)  # without waiting for its clients
            self._process.wait(30)
        self._folder.cleanup()

    def start(self) -> None:
        """Start, recover, and wait until it answers."""
        command = [program("postgres") or "postgres", "-D", str(self._data), "-p", str(self.port)]
        command += ["-c", "listen_addresses=127.0.0.1", "-k", self._folder.name]
        self._process = subprocess.Popen(
            _as_postgres(command), stderr=subprocess.DEVNULL, start_new_session=True
        )
        wait_until(self._answers, seconds=READY_SECONDS)

    def _answers(self) -> bool:
        try:
            psycopg.connect(self.url, connect_timeout=2).close()
        except psycopg.OperationalError:
            return False
        return True

    def kill(self) -> None:
        """Kill all its processes at once, as in a power cut."""
        assert self._process is not None
        master = self._process.pid
        children = Path(f"/proc/{master}/task/{master}/children").read_text(encoding="ascii")
        # Its children have process groups of their own, and would keep its memory for a while.
        for pid in (master, *map(int, children.split())):
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        self._process.wait()
