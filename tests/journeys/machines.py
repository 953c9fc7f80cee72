"""Three machines as network namespaces of this one, set up as docs/failover.md says, without TLS.

`a` and `b` run PostgreSQL, Redis, Sentinel, HAProxy and the service; `c` the monitor and the third
Sentinel. A balancer on the host, at `port`, leads to the service, and there to the school system.
"""

import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from urllib.parse import urlsplit

import psycopg

from tests.concurrency import wait_until
from tests.ports import free_port
from tests.postgres_server import program
from tests.service_process import ROOT, SERVES

PROGRAMS = ("ip", "pg_autoctl", "haproxy", "redis-server", "setpriv")
MISSING = "needs root, and the packages that docs/operations.md names"
SAMPLES = ROOT / "deploy" / "failover"
ADDRESS = {"a": "10.98.7.1", "b": "10.98.7.2", "c": "10.98.7.3"}
HOST = "10.98.7.254"
BRIDGE = "wrapper-test"
# One for each, because they share a folder of Unix sockets.
POSTGRES = {"a": 5531, "b": 5532, "c": 5530}
MONITOR = f"postgres://autoctl_node@{ADDRESS['c']}:{POSTGRES['c']}/pg_auto_failover?sslmode=prefer"
TLS = re.compile(r"^(tls-.*|port 0|bind .*|sentinel auth-pass.*|.*AUTH.*\n.*OK)\n", re.MULTILINE)
START_SECONDS = 120.0
DISK = "500m"
PROGRAMS_OF_POSTGRES = Path(program("postgres") or "/usr/bin/postgres").parent
BALANCER = """
defaults
    timeout connect 2s
    timeout client 60s
    timeout server 60s
    timeout tunnel 1h
    retries 2
    option redispatch
listen school
    mode tcp
    bind {host}:8901
    server school {school}
frontend service
    mode http
    bind 127.0.0.1:{port}
    option forwardfor
    use_backend sockets if {{ path /ws }}
    default_backend web
backend web
    mode http
    option httpchk GET /readyz
    default-server check inter 1s fall 2 rise 1
    server a {a}:8000
    server b {b}:8000
backend sockets
    mode http
    option httpchk GET /healthz
    default-server check inter 1s fall 2 rise 1
    server a {a}:8001
    server b {b}:8001
"""


def programs_missing() -> bool:
    has_extension = any(Path("/usr/share/postgresql").glob("*/extension/pgautofailover*"))
    return os.getuid() != 0 or not has_extension or not all(map(shutil.which, PROGRAMS))


def _run(*command: str) -> str:
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


_ip = partial(_run, "ip")


def without_tls(name: str) -> str:
    """A sample of deploy/failover/ with the addresses of the namespaces."""
    text = TLS.sub("", (SAMPLES / name).read_text(encoding="utf-8"))
    text = text.replace("tcp-check connect ssl", "tcp-check connect")
    text = re.sub(r" (ca-file|verifyhost) \S+", "", text)
    text = re.sub(r"^(requirepass|masterauth) .*\n", "", text, flags=re.MULTILINE)
    for machine, address in ADDRESS.items():
        text = text.replace(f"{machine}.internal", address)
    return text


class Machine:
    """A namespace. What runs in it is started again after `kill`."""

    def __init__(self, name: str, folder: Path) -> None:
        self.name, self.address, self.folder = name, ADDRESS[name], folder / name
        self.space, self._link = f"wrapper-{name}", f"wrapper-{name}"
        self._started: list[subprocess.Popen[bytes]] = []
        self._disk = self.folder / "disk"
        self._disk.mkdir(parents=True)
        _run("mount", "-t", "tmpfs", "-o", f"size={DISK}", "tmpfs", str(self._disk))
        for owned in (self.folder, self._disk):
            shutil.chown(owned, "postgres", "postgres")
        _ip("netns", "add", self.space)
        _ip("link", "add", self._link, "type", "veth", "peer", "name", "eth0", "netns", self.space)
        _ip("link", "set", self._link, "master", BRIDGE, "up")
        for words in ("addr add {}/24 dev eth0", "link set eth0 up", "link set lo up"):
            _ip("-n", self.space, *words.format(self.address).split())

    @property
    def data(self) -> Path:
        return self._disk / "postgres"

    def run(self, name: str, *command: str, **variables: str) -> "subprocess.Popen[bytes]":
        with (self.folder / f"{name}.log").open("ab") as log:
            process = subprocess.Popen(
                ["ip", "netns", "exec", self.space, *command],
                cwd=ROOT,
                env={**os.environ, **variables},
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        self._started.append(process)
        return process

    def postgres(self, *words: str) -> "subprocess.Popen[bytes]":
        """`pg_autoctl` as the user postgres."""
        user = ["setpriv", "--reuid=postgres", "--regid=postgres", "--init-groups", "env", "-i"]
        user += [f"HOME={self.folder}", f"XDG_RUNTIME_DIR={self.folder}", "LANG=C.UTF-8"]
        user += [f"PATH={PROGRAMS_OF_POSTGRES}:/usr/bin:/bin", "PGCONNECT_TIMEOUT=2"]
        return self.run("postgres", *user, "pg_autoctl", *words, "--pgdata", str(self.data))

    def pids(self) -> list[int]:
        return [int(pid) for pid in _ip("netns", "pids", self.space).split()]

    def cut(self) -> None:
        """Nobody reaches it, and it reaches nobody."""
        _ip("link", "set", self._link, "down")

    def join(self) -> None:
        _ip("link", "set", self._link, "up")

    def kill(self) -> None:
        """As a power cut does: nobody is told, not even by the end of a connection."""
        self.cut()
        while pids := self.pids():
            for pid in pids:
                with suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
        while self._started:
            self._started.pop().wait()

    def remove(self) -> None:
        self.kill()
        _run("umount", "--lazy", str(self._disk))
        _ip("netns", "del", self.space)
        with suppress(subprocess.CalledProcessError):
            _ip("link", "del", self._link)


class Machines:
    """The three, and the balancer. `stop` removes everything."""

    def __init__(self, folder: Path, school: str) -> None:
        _ip("link", "add", BRIDGE, "type", "bridge")
        _ip("addr", "add", f"{HOST}/24", "dev", BRIDGE)
        _ip("link", "set", BRIDGE, "up")
        self.port = free_port()
        self.a, self.b, self.c = (Machine(name, folder) for name in "abc")
        self._all = (self.a, self.b, self.c)
        conf = folder / "balancer.cfg"
        names = {"host": HOST, "school": urlsplit(school).netloc, "port": self.port, **ADDRESS}
        conf.write_text(BALANCER.format(**names), encoding="utf-8")
        self._balancer = subprocess.Popen(["haproxy", "-db", "-f", str(conf)])
        hosts = ",".join(f"{ADDRESS[name]}:{POSTGRES[name]}" for name in "ab")
        self.database_url = f"postgresql://wrapper@{hosts}/wrapper?target_session_attrs=read-write"
        self._variables = {
            **os.environ,
            "DEBUG": "0",
            "LOG_FORMAT": "json",
            "DATABASE_URL": self.database_url,
            "REDIS_URL": "redis://127.0.0.1:6380/0",
            "UPSTREAM_URL": f"http://{HOST}:8901",
            "ALLOW_INSECURE_UPSTREAM": "1",
            "BIND_HOST": "0.0.0.0",
            "TRUSTED_PROXIES": HOST,
            "RATE_LIMITS": "off",
            "ALLOW_UNLIMITED": "1",
        }

    def create(self) -> None:
        """Everything from empty disks until the standby confirms commits."""
        common = ["--auth", "trust", "--no-ssl"]
        made = ["create", "monitor", "--pgport", str(POSTGRES["c"]), "--hostname", ADDRESS["c"]]
        assert self.c.postgres(*made, *common).wait(START_SECONDS) == 0
        self.c.postgres("run")
        wait_until(lambda: self.states() == {}, START_SECONDS, pause=0.5)
        for machine in (self.a, self.b):
            made = ["create", "postgres", "--pgport", str(POSTGRES[machine.name])]
            made += ["--name", machine.name, "--hostname", machine.address]
            made += ["--dbname", "wrapper", "--username", "wrapper"]
            assert machine.postgres(*made, *common, "--monitor", MONITOR).wait(START_SECONDS) == 0
            if machine is self.a:
                with (self.a.data / "pg_hba.conf").open("a") as rules:
                    rules.write("host all all 10.98.7.0/24 trust\n")
            machine.postgres("run")
            wait_until(lambda name=machine.name: name in self.states(), START_SECONDS, pause=0.5)  # type: ignore[misc]
            wait_until(self._checkpoint, START_SECONDS, pause=0.5)
            if machine is self.a:
                self._migrate()
        self.wait_for_both()
        for machine in self._all:
            for name in ("sentinel",) if machine is self.c else ("redis", "sentinel"):
                text = self._with_ports(without_tls(f"{name}.conf"), name, machine)
                (machine.folder / f"{name}.conf").write_text(text)
            (machine.folder / "haproxy.cfg").write_text(without_tls("haproxy.cfg"))
        for machine in self._all:
            self._run_others(machine)

    def _migrate(self) -> None:
        command = [sys.executable, "manage.py", "migrate", "-v0"]
        subprocess.run(command, cwd=ROOT, env=self._variables, check=True)

    def _with_ports(self, text: str, name: str, machine: Machine) -> str:
        text = text.replace(f"announce-ip {ADDRESS['a']}", f"announce-ip {machine.address}")
        port = {"redis": 6379, "sentinel": 26379}[name]
        text = f"bind 0.0.0.0\nprotected-mode no\nport {port}\ndir {machine.folder}\n{text}"
        is_replica = name == "redis" and machine is self.b
        return text + (f"replicaof {ADDRESS['a']} 6379\n" if is_replica else "")

    def _run_others(self, machine: Machine) -> None:
        folder = machine.folder
        machine.run("sentinel", "redis-server", str(folder / "sentinel.conf"), "--sentinel")
        if machine is self.c:
            return
        machine.run("redis", "redis-server", str(folder / "redis.conf"))
        machine.run("haproxy", "haproxy", "-db", "-f", str(folder / "haproxy.cfg"))
        for kind, application in SERVES.items():
            command = [
                sys.executable,
                "-m",
                "gunicorn",
                "-c",
                f"deploy/{kind}.conf.py",
                application,
            ]
            ports = {"WEB_PORT": "8000", "SOCKETS_PORT": "8001", "DATA_DIR": str(folder)}
            machine.run(kind, *command, **{**self._variables, **ports})

    def start_again(self, machine: Machine) -> None:
        """After `kill`."""
        machine.join()
        machine.postgres("run")
        self._run_others(machine)

    def _checkpoint(self) -> bool:
        try:
            with psycopg.connect(self.database_url, connect_timeout=2, autocommit=True) as primary:
                primary.execute("CHECKPOINT")
        except psycopg.Error:
            return False
        return True

    def states(self) -> dict[str, str]:
        """What the monitor says of each node. While it is away, it is no node."""
        query = "SELECT nodename, reportedstate::text FROM pgautofailover.node"
        try:
            with psycopg.connect(MONITOR, connect_timeout=2) as monitor:
                return dict(monitor.execute(query).fetchall())
        except psycopg.Error:
            return {"": "the monitor is away"}

    def wait_for_both(self) -> None:
        """Until a standby confirms commits. It copies the primary after its next checkpoint."""
        both = {"primary", "secondary"}
        wait_until(
            lambda: self._checkpoint() and set(self.states().values()) == both,
            START_SECONDS,
            pause=0.5,
        )

    def primary(self) -> Machine:
        names = {state: name for name, state in self.states().items()}
        return {"a": self.a, "b": self.b}[names["primary"]]

    def stop(self) -> None:
        self._balancer.kill()
        self._balancer.wait()
        for machine in self._all:
            machine.remove()
        _ip("link", "del", BRIDGE)


@contextmanager
def running(folder: Path, school: str) -> Iterator[Machines]:
    """The three, from empty disks until a standby confirms commits. `school`: its base address."""
    made = Machines(folder, school)
    try:
        made.create()
        yield made
    finally:
        made.stop()


def other(machines: Machines, machine: Machine) -> Machine:
    return machines.b if machine is machines.a else machines.a
