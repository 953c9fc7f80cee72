"""The service under test, started as it is shipped: gunicorn, one worker, logs, all middleware.

Differences from a deployment: upstream is on loopback (ALLOW_INSECURE_UPSTREAM=1), secrets and
DATA_DIR are temporary, and `limits="off"` turns the request limits off.
"""

import base64
import http.client
import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.closed_loop import CouldNotRun
from benchmarks.fake_upstream.server import FakeUpstream
from benchmarks.processes import ROOT, children, cpu_seconds, free_port, resident_mib, start, stop
from benchmarks.stores import Stores

APPLICATION = "wrapper_project.wsgi:application"
COMMAND = ["gunicorn", "-c", "deploy/http.conf.py"]
READY_SECONDS = 40  # seconds to become ready
# The only variables of the shell that the service gets.
_KEPT = ("PATH", "HOME", "LANG", "LC_ALL", "TMPDIR", "VIRTUAL_ENV")


@dataclass(frozen=True)
class Service:
    """A running service. `pids` are its workers, usually one; `database_url` "" is SQLite;
    `root` is the checkout that it runs."""

    port: int
    pids: tuple[int, ...]
    core: int | None
    driver_core: int | None
    fake: FakeUpstream
    database_url: str = ""
    variables: dict[str, str] = field(default_factory=dict, repr=False)
    root: Path = ROOT

    @property
    def pid(self) -> int:
        """The first worker."""
        return self.pids[0]

    def cpu(self) -> float:
        """CPU seconds of the workers so far."""
        return sum(cpu_seconds(pid) for pid in self.pids)

    def memory(self) -> float:
        """Resident memory of the workers in MiB."""
        return sum(resident_mib(pid) for pid in self.pids)

    def threads(self) -> int:
        """Threads of the worker."""
        return len(list(Path(f"/proc/{self.pid}/task").iterdir()))

    def open_files(self) -> int:
        """Files and sockets that the worker holds open."""
        return len(list(Path(f"/proc/{self.pid}/fd").iterdir()))


def environment(
    stores: Stores, fake_url: str, data_dir: Path, *, limits: str, workers: int = 1
) -> dict[str, str]:
    """The whole environment of the service."""
    kept = {name: value for name, value in os.environ.items() if name in _KEPT}
    chosen = {
        "SECRET_KEY": base64.urlsafe_b64encode(os.urandom(48)).decode(),
        "FIELD_ENCRYPTION_KEYS": base64.urlsafe_b64encode(os.urandom(32)).decode(),
        "UPSTREAM_URL": fake_url,
        "ALLOW_INSECURE_UPSTREAM": "1",
        "DATA_DIR": str(data_dir),
        "WEB_WORKERS": str(workers),
        "WEB_PORT": str(free_port()),
        "BIND_HOST": "127.0.0.1",
    }
    if limits == "off":
        chosen |= {"RATE_LIMITS": "off", "ALLOW_UNLIMITED": "1"}
    return kept | chosen | stores.environment


@dataclass(frozen=True)
class ServiceSetup:
    """The environment of a service, with a migrated database, its log and its checkout."""

    variables: dict[str, str]
    log: Path
    root: Path

    def tail(self, lines: int = 15) -> str:
        """The last lines of the log."""
        output = self.log.read_text(encoding="utf-8", errors="replace")
        return "\n".join(output.splitlines()[-lines:])


@contextmanager
def prepare_service(
    stores: Stores, fake: FakeUpstream, *, limits: str, workers: int = 1, root: Path = ROOT
) -> Iterator[ServiceSetup]:
    """A setup with a new, migrated database; its files are deleted at the end.

    Raises:
        CouldNotRun: it could not be migrated; the message ends with the last lines of the log.
    """
    with tempfile.TemporaryDirectory(prefix="wrapper-bench-") as folder:
        data_dir = Path(folder)
        variables = environment(stores, fake.url, data_dir, limits=limits, workers=workers)
        setup = ServiceSetup(variables, data_dir / "service.log", root)
        _run([sys.executable, "manage.py", "migrate", "--verbosity", "0"], setup)
        yield setup


@contextmanager
def run_service(
    stores: Stores,
    fake: FakeUpstream,
    *,
    limits: str,
    cores: tuple[int | None, int | None],
    workers: int = 1,
    application: str = APPLICATION,
    root: Path = ROOT,
) -> Iterator[Service]:
    """Migrate, start and wait until it answers; stop it and delete its files at the end. `root` is
    the checkout that is run.

    Raises:
        CouldNotRun: it did not start; the message ends with the last lines of its log.
    """
    with (
        prepare_service(stores, fake, limits=limits, workers=workers, root=root) as setup,
        setup.log.open("ab") as sink,
    ):
        command = [str(Path(sys.executable).with_name(COMMAND[0])), *COMMAND[1:], application]
        process = start(
            command, core=cores[0], environment=setup.variables, root=root, stdout=sink, stderr=sink
        )
        try:
            port = int(setup.variables["WEB_PORT"])
            _await_ready(port, setup, process.poll)
            pids = _workers(process.pid, workers)
            known = setup.variables
            yield Service(
                port, pids, cores[0], cores[1], fake, known.get("DATABASE_URL", ""), known, root
            )
        finally:
            stop(process)


def _run(command: list[str], setup: ServiceSetup) -> None:
    with setup.log.open("ab") as sink:
        process = start(
            command, environment=setup.variables, root=setup.root, stdout=sink, stderr=sink
        )
        try:
            code = process.wait(timeout=120)
        finally:
            stop(process)
    if code:
        raise CouldNotRun(f"{' '.join(command[1:])} failed:\n{setup.tail()}")


def _workers(master: int, count: int) -> tuple[int, ...]:
    workers = tuple(children(master))
    if len(workers) != count:
        raise CouldNotRun(f"expected {count} workers, found {len(workers)}")
    return workers


def _await_ready(port: int, setup: ServiceSetup, poll: Callable[[], int | None]) -> None:
    deadline = time.monotonic() + READY_SECONDS
    while time.monotonic() < deadline:
        if poll() is not None:
            break
        if _alive(port):
            return
        time.sleep(0.1)
    raise CouldNotRun(f"the service did not start:\n{setup.tail()}")


def _alive(port: int) -> bool:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=5)
    try:
        connection.request("GET", "/healthz")
        return connection.getresponse().status == 200
    except OSError:
        return False
    finally:
        connection.close()
