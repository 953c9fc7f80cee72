"""Several processes of the service behind nginx, configured as in `deploy/`."""

import os
import re
import shutil
import subprocess
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Self

from benchmarks.closed_loop import CouldNotRun
from benchmarks.processes import ROOT, free_port, start, stop
from benchmarks.server import READY_SECONDS, Server, get_status

SAMPLE = ROOT / "deploy" / "nginx.conf"
SCRIPT = ROOT / "deploy" / "rolling_restart.sh"
MISSING = "nginx or curl is missing. Debian, Ubuntu: apt-get install nginx-light curl"
NGINX_CONF = """
{user}
daemon off;
pid {folder}/nginx.pid;
error_log {folder}/nginx.log error;
worker_processes 1;
events {{ worker_connections 512; }}
http {{
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    include {folder}/site.conf;
}}
"""


def programs_missing() -> bool:
    """Whether nginx or curl is missing on this machine."""
    return shutil.which("nginx") is None or shutil.which("curl") is None


def nginx_site(port: int, web: Sequence[int], sockets: Sequence[int]) -> str:
    """`deploy/nginx.conf` with these ports, without TLS and on loopback."""
    text = SAMPLE.read_text(encoding="utf-8")
    redirecting = text.index("server {\n    listen 80;")
    text = text[:redirecting] + text[text.index("server {\n    listen 443 ssl http2;") :]
    ours = {"8000": web[0], "8010": web[-1], "8001": sockets[0], "8011": sockets[-1]}
    for theirs, own in ours.items():
        text = text.replace(f"127.0.0.1:{theirs} ", f"127.0.0.1:{own} ")
    text = re.sub(r"^    (ssl_.*|listen \[::\].*|error_log .*)\n", "", text, flags=re.MULTILINE)
    text = text.replace("listen 443 ssl http2;", f"listen 127.0.0.1:{port};")
    return text.replace("server_name school.example;", "server_name localhost;")


class Deployment:
    """Two servers for HTTP and `sockets` for sockets, behind nginx on `port`."""

    def __init__(self, variables: Mapping[str, str], folder: Path, *, sockets: int = 1) -> None:
        self.port = free_port()
        self.folder = folder
        log = folder / "servers.log"
        self.web = [Server("web", variables, log) for _ in range(2)]
        self.sockets = [Server("sockets", variables, log) for _ in range(sockets)]
        self._nginx: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Self:
        try:
            self._start()
        except BaseException:
            self._stop()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self._stop()

    def _start(self) -> None:
        if programs_missing():
            raise CouldNotRun(MISSING)
        for server in (*self.web, *self.sockets):
            server.start()
        ports = [[server.port for server in kind] for kind in (self.web, self.sockets)]
        (self.folder / "site.conf").write_text(nginx_site(self.port, *ports), encoding="utf-8")
        # By default its workers run as another user, who could not read our folder.
        user = "user root;" if os.getuid() == 0 else ""
        main = NGINX_CONF.format(folder=self.folder, user=user)
        (self.folder / "nginx.conf").write_text(main, encoding="utf-8")
        for server in (*self.web, *self.sockets):
            server.wait()
        with (self.folder / "nginx.log").open("ab") as sink:
            self._nginx = start(self._command(), stdout=sink, stderr=sink)
        deadline = time.monotonic() + READY_SECONDS
        while get_status(self.port, "/healthz") != 200:
            if time.monotonic() > deadline or self._nginx.poll() is not None:
                output = (self.folder / "nginx.log").read_text(encoding="utf-8")
                raise CouldNotRun(f"nginx does not pass requests on:\n{output}")
            time.sleep(0.05)

    def _command(self) -> list[str]:
        return ["nginx", "-p", str(self.folder), "-c", str(self.folder / "nginx.conf")]

    def _stop(self) -> None:
        if self._nginx is not None:
            stop(self._nginx)
        for server in (*self.web, *self.sockets):
            server.stop()

    def restart(self, servers: Sequence[Server], *, drain: float = 1.0) -> None:
        """Restart these one by one with `deploy/rolling_restart.sh`. Raises: CouldNotRun."""
        by_unit = {f"wrapper-{server.kind}@{server.port}": server for server in servers}
        # Instead of systemctl: it prints the unit and waits until we have restarted it.
        restart_script = self.folder / "restart.sh"
        restart_script.write_text('echo "restart $1"\nread -r answer\n', encoding="utf-8")
        environment = {
            **os.environ,
            "NGINX_CONF": str(self.folder / "site.conf"),
            "RELOAD": " ".join([*self._command(), "-s", "reload"]),
            "RESTART": f"sh {restart_script}",
            "DRAIN": str(drain),
        }
        with subprocess.Popen(
            ["sh", str(SCRIPT), *by_unit],
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
        if script.returncode:
            raise CouldNotRun(f"rolling_restart.sh ended with {script.returncode}")
