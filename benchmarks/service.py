"""The service under test, started as it is shipped: gunicorn, one worker, logs, all middleware.

Differences from a deployment: upstream is on loopback (ALLOW_INSECURE_UPSTREAM=1), secrets and
DATA_DIR are temporary, and `limits="off"` turns the request limits off.
"""

import base64
import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from benchmarks.closed_loop import CouldNotRun
from benchmarks.fake_upstream.server import FakeUpstream
from benchmarks.processes import ROOT, start, stop
from benchmarks.server import Server, tail
from benchmarks.stores import Stores

# The only variables of the shell that the service gets.
_KEPT = ("PATH", "HOME", "LANG", "LC_ALL", "TMPDIR", "VIRTUAL_ENV")
Cores = tuple[int | None, int | None]


def environment(
    stores: Stores, fake_url: str, data_dir: Path, *, limits: str, workers: int = 1
) -> dict[str, str]:
    """The whole environment of the service, but for its port."""
    kept = {name: value for name, value in os.environ.items() if name in _KEPT}
    chosen = {
        "SECRET_KEY": base64.urlsafe_b64encode(os.urandom(48)).decode(),
        "FIELD_ENCRYPTION_KEYS": base64.urlsafe_b64encode(os.urandom(32)).decode(),
        "UPSTREAM_URL": fake_url,
        "ALLOW_INSECURE_UPSTREAM": "1",
        "DATA_DIR": str(data_dir),
        "WEB_WORKERS": str(workers),
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


class Service(Server):
    """The server for requests. `cores`: its own, and that of the driver."""

    def __init__(
        self, setup: ServiceSetup, fake: FakeUpstream, cores: Cores, application: str
    ) -> None:
        super().__init__(
            "web",
            setup.variables,
            setup.log,
            core=cores[0],
            root=setup.root,
            application=application,
        )
        self.fake = fake
        self.cores = cores

    @property
    def database_url(self) -> str:
        """Empty: SQLite."""
        return self.variables.get("DATABASE_URL", "")

    def threads(self) -> int:
        """Threads of the worker."""
        return len(list(Path(f"/proc/{self.workers[0]}/task").iterdir()))

    def open_files(self) -> int:
        """Files and sockets that the worker holds open."""
        return len(list(Path(f"/proc/{self.workers[0]}/fd").iterdir()))

    def for_sockets(self) -> Server:
        """The server for sockets that belongs to it, on the same core. Not started yet."""
        return Server("sockets", self.variables, self.log, core=self.core, root=self.root)


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
        _migrate(setup)
        yield setup


@contextmanager
def run_service(
    stores: Stores,
    fake: FakeUpstream,
    *,
    limits: str,
    cores: Cores,
    workers: int = 1,
    application: str = "",
    root: Path = ROOT,
) -> Iterator[Service]:
    """Migrate, start and wait until it answers; stop it and delete its files at the end. `root` is
    the checkout that is run.

    Raises:
        CouldNotRun: it did not start; the message ends with the last lines of its log.
    """
    with (
        prepare_service(stores, fake, limits=limits, workers=workers, root=root) as setup,
        Service(setup, fake, cores, application) as service,
    ):
        if len(service.workers) != workers:
            raise CouldNotRun(f"expected {workers} workers, found {len(service.workers)}")
        yield service


def _migrate(setup: ServiceSetup) -> None:
    with setup.log.open("ab") as sink:
        process = start(
            [sys.executable, "manage.py", "migrate", "--verbosity", "0"],
            environment=setup.variables,
            root=setup.root,
            stdout=sink,
            stderr=sink,
        )
        try:
            code = process.wait(timeout=120)
        finally:
            stop(process)
    if code:
        raise CouldNotRun(f"migrate failed:\n{tail(setup.log)}")
