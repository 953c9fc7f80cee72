"""The service under test, started as it is shipped: gunicorn, one worker, logs, every layer.

What differs from a deployment: the upstream is on loopback (ALLOW_INSECURE_UPSTREAM=1), secrets
and DATA_DIR are thrown away afterwards, and `limits="off"` leaves the request limits out.
"""

import base64
import http.client
import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from benchmarks.closed_loop import CouldNotRun
from benchmarks.fake_upstream import FakeUpstream
from benchmarks.processes import children, cpu_seconds, free_port, resident_mib, start, stop
from benchmarks.stores import Stores

COMMAND = ["gunicorn", "-c", "deploy/http.conf.py", "wrapper_project.wsgi:application"]
PATIENCE = 40  # seconds to become ready
# All that the service gets of the shell: what is measured is what is shipped.
_KEPT = ("PATH", "HOME", "LANG", "LC_ALL", "TMPDIR", "VIRTUAL_ENV")


@dataclass(frozen=True)
class Service:
    """A running service. `pid` is its one worker."""

    port: int
    pid: int
    core: int | None
    driver_core: int | None
    fake: FakeUpstream

    def cpu(self) -> float:
        """CPU seconds of the worker so far."""
        return cpu_seconds(self.pid)

    def memory(self) -> float:
        """MiB that the worker holds."""
        return resident_mib(self.pid)

    def threads(self) -> int:
        """Threads of the worker."""
        return len(list(Path(f"/proc/{self.pid}/task").iterdir()))

    def open_files(self) -> int:
        """Files and sockets that the worker holds open."""
        return len(list(Path(f"/proc/{self.pid}/fd").iterdir()))


def environment(stores: Stores, fake_url: str, data_dir: Path, *, limits: str) -> dict[str, str]:
    """The whole environment of the service."""
    kept = {name: value for name, value in os.environ.items() if name in _KEPT}
    chosen = {
        "SECRET_KEY": base64.urlsafe_b64encode(os.urandom(48)).decode(),
        "FIELD_ENCRYPTION_KEYS": base64.urlsafe_b64encode(os.urandom(32)).decode(),
        "UPSTREAM_URL": fake_url,
        "ALLOW_INSECURE_UPSTREAM": "1",
        "DATA_DIR": str(data_dir),
        "WEB_WORKERS": "1",
        "WEB_PORT": str(free_port()),
        "BIND_HOST": "127.0.0.1",
    }
    if limits == "off":
        chosen |= {"RATE_LIMITS": "off", "ALLOW_UNLIMITED": "1"}
    return kept | chosen | stores.environment


@dataclass(frozen=True)
class Place:
    """Where a service may start: its environment, with a migrated database, and its log."""

    variables: dict[str, str]
    log: Path

    def tail(self, lines: int = 15) -> str:
        """The last lines of the log."""
        said = self.log.read_text(encoding="utf-8", errors="replace")
        return "\n".join(said.splitlines()[-lines:])


@contextmanager
def prepared(stores: Stores, fake: FakeUpstream, *, limits: str) -> Iterator[Place]:
    """A place of its own with a fresh, migrated database; its files are dropped at the end.

    Raises:
        CouldNotRun: it could not be migrated; the message ends with the last lines said.
    """
    with tempfile.TemporaryDirectory(prefix="wrapper-bench-") as folder:
        data_dir = Path(folder)
        place = Place(
            environment(stores, fake.url, data_dir, limits=limits), data_dir / "service.log"
        )
        _run([sys.executable, "manage.py", "migrate", "--verbosity", "0"], place)
        yield place


@contextmanager
def running(
    stores: Stores, fake: FakeUpstream, *, limits: str, cores: tuple[int | None, int | None]
) -> Iterator[Service]:
    """Migrate, start, wait until it answers; stop it and drop its files at the end.

    Raises:
        CouldNotRun: it did not start; the message ends with the last lines of its log.
    """
    with prepared(stores, fake, limits=limits) as place, place.log.open("ab") as sink:
        command = [str(Path(sys.executable).with_name(COMMAND[0])), *COMMAND[1:]]
        process = start(
            command, core=cores[0], environment=place.variables, stdout=sink, stderr=sink
        )
        try:
            port = int(place.variables["WEB_PORT"])
            _await_ready(port, place, process.poll)
            yield Service(port, _worker(process.pid), cores[0], cores[1], fake)
        finally:
            stop(process)


def _run(command: list[str], place: Place) -> None:
    with place.log.open("ab") as sink:
        process = start(command, environment=place.variables, stdout=sink, stderr=sink)
        try:
            code = process.wait(timeout=120)
        finally:
            stop(process)
    if code:
        raise CouldNotRun(f"{' '.join(command[1:])} failed:\n{place.tail()}")


def _worker(master: int) -> int:
    workers = children(master)
    if len(workers) != 1:
        raise CouldNotRun(f"expected one worker, found {len(workers)}")
    return workers[0]


def _await_ready(port: int, place: Place, poll: Callable[[], int | None]) -> None:
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        if poll() is not None:
            break
        if _alive(port):
            return
        time.sleep(0.1)
    raise CouldNotRun(f"the service did not start:\n{place.tail()}")


def _alive(port: int) -> bool:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=5)
    try:
        connection.request("GET", "/healthz")
        return connection.getresponse().status == 200
    except OSError:
        return False
    finally:
        connection.close()
