"""A PostgreSQL server of a test, which does not wait for the disk."""

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
READY_SECONDS = 60.0


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
    """Runs between `with` and its end. `options` are settings of PostgreSQL (`name=value`);
    `certificate` is a file with a certificate and its key."""

    def __init__(self, *options: str, certificate: Path | None = None) -> None:
        self.port = free_port()
        self._folder = tempfile.TemporaryDirectory(prefix="wrapper-postgres-")
        self._data = Path(self._folder.name) / "data"
        self._options = [word for option in options for word in ("-c", option)]
        if certificate:
            copy = Path(shutil.copy(certificate, self._folder.name))
            copy.chmod(0o600)
            if not os.getuid():
                shutil.chown(copy, "postgres", "postgres")
            for option in ("ssl=on", f"ssl_cert_file={copy}", f"ssl_key_file={copy}"):
                self._options += ["-c", option]

    @property
    def url(self) -> str:
        return f"postgres://postgres@127.0.0.1:{self.port}/postgres"

    def __enter__(self) -> Self:
        if not os.getuid():
            shutil.chown(self._folder.name, "postgres", "postgres")
        command = [program("initdb") or "initdb", "-D", str(self._data)]
        command += ["-U", "postgres", "-A", "trust", "-E", "UTF8", "--no-sync"]
        subprocess.run(
            _as_postgres(command), cwd=self._folder.name, capture_output=True, check=True
        )
        command = [program("postgres") or "postgres", "-D", str(self._data), "-p", str(self.port)]
        command += ["-c", "listen_addresses=127.0.0.1", "-k", self._folder.name, "-F"]
        command += self._options
        self._process = subprocess.Popen(
            _as_postgres(command), stderr=subprocess.DEVNULL, start_new_session=True
        )
        wait_until(self._answers, seconds=READY_SECONDS)
        return self

    def __exit__(self, *_: object) -> None:
        self._process.send_signal(signal.SIGINT)  # without waiting for its clients
        self._process.wait(30)
        self._folder.cleanup()

    def _answers(self) -> bool:
        try:
            psycopg.connect(self.url, connect_timeout=2).close()
        except psycopg.OperationalError:
            return False
        return True
