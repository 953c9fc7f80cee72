"""Several processes of the service behind nginx, configured as in `deploy/`."""

import os
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

import urllib3

from tests.concurrency import wait_until
from tests.nginx import nginx_command, nginx_site
from tests.nginx import running as running_proxy
from tests.ports import free_port
from tests.service_process import ROOT, SERVES

READY_SECONDS = 90


class Server:
    """A server that is stopped and started again on the same port. `kind` is a key of `SERVES`."""

    def __init__(self, kind: str, variables: Mapping[str, str], folder: Path) -> None:
        self.kind, self.port = kind, free_port()
        self._variables = {
            **variables,
            "WEB_PORT": str(self.port),
            "SOCKETS_PORT": str(self.port),
        }
        self._log = folder / "servers.log"
        self.start()

    def start(self) -> None:
        """Start it, without waiting until it is ready."""
        conf = f"deploy/{self.kind}.conf.py"
        command = [sys.executable, "-m", "gunicorn", "-c", conf, SERVES[self.kind]]
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(
                command, cwd=ROOT, env=self._variables, stdout=log, stderr=log
            )

    def stop(self) -> None:
        """Stop it gracefully: running requests may finish."""
        self._process.terminate()
        self._process.wait(60)


class Deployment:
    """Two servers for HTTP and two for sockets, behind nginx on `port`."""

    def __init__(self, servers: Sequence[Server], folder: Path) -> None:
        self.servers, self.folder, self.port = servers, folder, free_port()
        web, sockets = (
            [server.port for server in servers if server.kind == kind]
            for kind in ("http", "sockets")
        )
        self.nginx = nginx_command(folder, nginx_site(self.port, web, sockets))

    def restart_all(self) -> None:
        """Restart the servers one by one with `deploy/rolling_restart.sh`."""
        by_unit = {f"wrapper-{server.kind}@{server.port}": server for server in self.servers}
        # Instead of systemctl: it prints the unit and waits until it was restarted here.
        restart_script = self.folder / "restart.sh"
        restart_script.write_text('echo "restart $1"\nread -r answer\n', encoding="utf-8")
        environment = {
            **os.environ,
            "NGINX_CONF": str(self.folder / "site.conf"),
            "RELOAD": " ".join([*self.nginx, "-s", "reload"]),
            "RESTART": f"sh {restart_script}",
            "DRAIN": "1",
        }
        with subprocess.Popen(
            ["sh", str(ROOT / "deploy" / "rolling_restart.sh"), *by_unit],
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        ) as script:
            assert script.stdin is not None
            assert script.stdout is not None
            for line in script.stdout:
                word, _, unit = line.strip().partition(" ")
                if word == "restart":
                    by_unit[unit].stop()
                    by_unit[unit].start()
                    script.stdin.write("done\n")
                    script.stdin.flush()
        assert script.returncode == 0


@contextmanager
def running(variables: Mapping[str, str], folder: Path) -> Iterator[Deployment]:
    """A deployment that answers. `folder` gets its configuration and its logs."""
    with ExitStack() as stack:
        servers = []
        for kind in ("http", "http", "sockets", "sockets"):
            servers.append(Server(kind, variables, folder))
            stack.callback(servers[-1].stop)
        deployment = Deployment(servers, folder)
        for server in servers:
            wait_until(lambda port=server.port: _is_ready(port), READY_SECONDS)  # type: ignore[misc]
        stack.enter_context(running_proxy(deployment.nginx, folder))
        wait_until(lambda: _is_ready(deployment.port), READY_SECONDS)
        yield deployment


def _is_ready(port: int) -> bool:
    try:
        url = f"http://127.0.0.1:{port}/readyz"
        return urllib3.request("GET", url, retries=False, timeout=10).status == 200
    except urllib3.exceptions.HTTPError:
        return False
