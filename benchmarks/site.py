"""A checkout as it is deployed: PostgreSQL, Redis, and its own servers with its own configuration.

Differences from a deployment: the school system is on loopback (ALLOW_INSECURE_UPSTREAM), secrets
are temporary, and RATE_LIMITS is off unless it is asked for, because one address logs everybody in.
"""

import base64
import itertools
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

import psycopg
import urllib3
from redis import Redis, RedisError

from benchmarks.driver import Request, Run, replay
from benchmarks.processes import (
    CORES,
    CouldNotRun,
    cpu_seconds,
    free_port,
    resident_kib,
    running,
    wait_until,
)

LOCAL_POSTGRES = "postgres://postgres@127.0.0.1:5432/postgres"
DRIVER_CORE = CORES[-1]
# The only variables of the shell that a server gets.
_KEPT = ("PATH", "HOME", "LANG", "LC_ALL", "TMPDIR")
_SERVERS = {
    "http": ("WEB_PORT", "wrapper_project.wsgi:application"),
    "sockets": ("SOCKETS_PORT", "wrapper_project.asgi:application"),
}
_numbers = itertools.count()


@dataclass(frozen=True)
class Options:
    """`units`: servers for HTTP, each on a core of its own if it has one worker."""

    units: int = 1
    workers: int = 1
    limits: str = "off"
    connections: int = 16


@dataclass(frozen=True)
class FakeUpstream:
    """A running fake of the school system."""

    url: str

    def set_latency(self, milliseconds: float) -> None:
        """Delay every answer from now on."""
        urllib3.request("PUT", f"{self.url}/-/latency/{milliseconds}", retries=False)

    def calls(self, kind: str) -> int:
        """The calls of this kind since the start."""
        counted: dict[str, int] = urllib3.request("GET", f"{self.url}/-/calls").json()
        return counted.get(kind, 0)


@contextmanager
def fake_upstream() -> Iterator[FakeUpstream]:
    """A fake on a free port, on the core of the driver."""
    port = free_port()
    command = [sys.executable, "-m", "benchmarks.fake_upstream", str(port)]
    with running(command, cores=[DRIVER_CORE]) as process:
        wait_until(lambda: _answers(port, "/-/calls"), process, "the fake upstream")
        yield FakeUpstream(f"http://127.0.0.1:{port}")


@dataclass(frozen=True)
class Server:
    """A gunicorn, by the process id of its master."""

    port: int
    pid: int

    def cpu(self) -> float:
        """CPU seconds of its workers so far."""
        return cpu_seconds(self.pid)

    def memory(self) -> int:
        """Resident memory of its workers in KiB."""
        return resident_kib(self.pid)


@dataclass
class Site:
    """A checkout that is running; `web` are its servers for HTTP."""

    root: Path
    variables: dict[str, str]
    folder: Path
    fake: FakeUpstream
    options: Options
    web: list[Server] = field(default_factory=list)

    @contextmanager
    def server(self, kind: str, cores: list[int], workers: int = 1) -> Iterator[Server]:
        """A server that is ready; `kind` is `http` or `sockets`."""
        port_name, application = _SERVERS[kind]
        port = free_port()
        own = {"BIND_HOST": "127.0.0.1", port_name: str(port), "WEB_WORKERS": str(workers)}
        command = [*_python(self.root), "-m", "gunicorn", "-c", f"deploy/{kind}.conf.py"]
        command.append(application)
        environment = self.variables | own
        with (
            (self.folder / "servers.log").open("ab") as log,
            running(
                command, cores=cores, environment=environment, root=self.root, log=log
            ) as process,
        ):
            wait_until(lambda: _answers(port, "/readyz"), process, f"{command} in {self.root}")
            yield Server(port, process.pid)

    def replay(self, requests: list[Request]) -> Run:
        """Send each request once over the connections of the options; count the workers' CPU."""
        before = sum(server.cpu() for server in self.web)
        ports = [server.port for server in self.web]
        run = replay(ports, requests, connections=self.options.connections)
        return run.costing(sum(server.cpu() for server in self.web) - before)


@contextmanager
def site(root: Path, fake: FakeUpstream, options: Options) -> Iterator[Site]:
    """The checkout in `root`, migrated and started; everything is removed at the end.

    Raises:
        CouldNotRun: a store or a server does not start; its log has been printed.
    """
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="wrapper-bench-")))
        variables = {name: value for name, value in os.environ.items() if name in _KEPT} | {
            "SECRET_KEY": base64.urlsafe_b64encode(os.urandom(48)).decode(),
            "FIELD_ENCRYPTION_KEYS": base64.urlsafe_b64encode(os.urandom(32)).decode(),
            "UPSTREAM_URL": fake.url,
            "ALLOW_INSECURE_UPSTREAM": "1",
            "DATA_DIR": str(folder),
            "DATABASE_URL": stack.enter_context(_database()),
            "REDIS_URL": stack.enter_context(_redis()),
            "RATE_LIMITS": options.limits,
            "ALLOW_UNLIMITED": "1",
        }
        made = Site(root, variables, folder, fake, options)
        migrate = [*_python(root), "manage.py", "migrate", "--verbosity", "0"]
        ran = subprocess.run(migrate, cwd=root, env=variables, check=False)
        if ran.returncode:
            raise CouldNotRun(f"migrate failed in {root}")
        try:
            for unit in range(options.units):
                cores = CORES if options.workers > 1 else [CORES[unit % len(CORES)]]
                server = made.server("http", cores, options.workers)
                made.web.append(stack.enter_context(server))
            yield made
        except CouldNotRun:
            print((folder / "servers.log").read_text(errors="replace")[-2000:], file=sys.stderr)
            raise


def _python(root: Path) -> list[str]:
    """The Python of a checkout, where it has an environment of its own."""
    own = root / ".venv" / "bin" / "python"
    return [str(own) if own.exists() else sys.executable]


def _answers(port: int, path: str) -> bool:
    try:
        url = f"http://127.0.0.1:{port}{path}"
        return urllib3.request("GET", url, retries=False, timeout=10).status == 200
    except urllib3.exceptions.HTTPError:
        return False


@contextmanager
def _database() -> Iterator[str]:
    """A database on the server of DATABASE_URL or of this machine, dropped at the end."""
    given = os.environ.get("DATABASE_URL", "")
    server = given if given.startswith("postgres") else LOCAL_POSTGRES
    name = f"wrapper_bench_{os.getpid()}_{next(_numbers)}"
    try:
        connection = psycopg.connect(server, autocommit=True, connect_timeout=5)
    except psycopg.OperationalError as error:
        raise CouldNotRun(f"PostgreSQL: {error}") from error
    with connection:
        connection.execute(f"CREATE DATABASE {name}")
        try:
            yield urlunsplit(urlsplit(server)._replace(path=f"/{name}"))
        finally:
            connection.execute(f"DROP DATABASE {name} WITH (FORCE)")


@contextmanager
def _redis() -> Iterator[str]:
    """A Redis server on a free port, which stores nothing on disk."""
    port = free_port()
    command = ["redis-server", "--port", str(port), "--bind", "127.0.0.1", "--save", ""]

    def answers() -> bool:
        try:
            with Redis(port=port) as client:
                return bool(client.ping())
        except RedisError:
            return False

    with running(command) as process:
        wait_until(answers, process, "redis-server")
        yield f"redis://127.0.0.1:{port}/0"
