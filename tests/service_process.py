"""A server process with the deployed configuration, on the database and Redis of the test."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import urllib3
from django.conf import settings
from django.db import connection
from django.test import TransactionTestCase
from pytest_django import DjangoDbBlocker

from tests import committed_rows
from tests.ports import free_port

ROOT = Path(__file__).resolve().parent.parent
SERVES = {"http": "wrapper_project.wsgi:application", "sockets": "wrapper_project.asgi:application"}
_STARTING = urllib3.Retry(total=100, connect=100, backoff_factor=0.05, backoff_max=0.2)


def cookie_header(cookies: dict[str, str]) -> str:
    return "; ".join(f"{name}={value}" for name, value in cookies.items())


class ServiceProcess:
    """A running server; `kill` ends it like a power cut."""

    def __init__(self, port: int, process: "subprocess.Popen[bytes]") -> None:
        self.port = port
        self.url = f"http://127.0.0.1:{port}"
        self._process = process
        self._http = urllib3.PoolManager(retries=False)

    def wait_until_it_answers(self) -> None:
        answer = self._http.request("GET", f"{self.url}/healthz", retries=_STARTING, timeout=10)
        assert answer.status == 200

    def request(
        self,
        method: str,
        path: str,
        body: Any = None,
        *,
        cookies: dict[str, str] | None = None,
        timeout: float = 40,
    ) -> tuple[int, Any, dict[str, str]]:
        """(status, body, cookies of the response)."""
        headers = {"Content-Type": "application/json"}
        if cookies:
            headers["Cookie"] = cookie_header(cookies)
        answer = self._http.request(
            method,
            self.url + path,
            headers=headers,
            body=None if body is None else json.dumps(body),
            timeout=timeout,
        )
        lines = answer.headers.getlist("Set-Cookie")
        pairs = [line.partition(";")[0].partition("=") for line in lines]
        return answer.status, json.loads(answer.data), {name: value for name, _, value in pairs}

    def sign_in(self, username: str = "elsa.nordvall") -> dict[str, str]:
        """Sign somebody of bjorkdalen in; returns their cookies."""
        password = f"{username.split('.')[0]}-demo"
        body = {"username": username, "password": password, "school": "bjorkdalen"}
        status, answer, cookies = self.request("POST", "/api/login", body)
        assert status == 200, answer
        return cookies

    def peak_memory(self) -> int:
        """The most that one of its processes has had in memory so far, in MiB."""
        peaks = []
        for folder in Path("/proc").glob("[0-9]*"):
            with suppress(OSError, ProcessLookupError):
                if os.getpgid(int(folder.name)) == self._process.pid:
                    lines = (folder / "status").read_text().splitlines()
                    peaks += [int(line.split()[1]) for line in lines if line.startswith("VmHWM:")]
        return max(peaks) // 1024

    def stop(self) -> int:
        """Terminate it as an operator does; returns the exit status."""
        self._process.terminate()
        return self._process.wait(30)

    def kill(self) -> None:
        """Kill the master and the workers with SIGKILL, which cannot be caught."""
        if self._process.poll() is None:
            os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()


def environment(data_dir: Path, upstream_url: str, **changes: str) -> dict[str, str]:
    """The environment of a server on the database and Redis of the test."""
    port = changes.get("WEB_PORT", "0")
    redis_url = changes.get("REDIS_URL", settings.REDIS_URL)
    return {
        **os.environ,
        "DEBUG": "0" if redis_url else "1",  # without Redis it runs for development only
        "LOG_FORMAT": "json",
        "BIND_HOST": "127.0.0.1",
        "SOCKETS_PORT": port,
        "WEB_THREADS": "8",
        "DATA_DIR": str(data_dir),
        "DATABASE_URL": database_url(),
        "REDIS_URL": redis_url,
        "UPSTREAM_URL": upstream_url,
        **changes,
    }


@contextmanager
def running(
    data_dir: Path, upstream_url: str, *, kind: str = "http", **changes: str
) -> Iterator[ServiceProcess]:
    """A running server. `data_dir` also gets its output.

    `kind` is a key of `SERVES`; `changes` are further environment variables.
    """
    port = free_port()
    own = environment(data_dir, upstream_url, **{"WEB_PORT": str(port), **changes})
    command = [sys.executable, "-m", "gunicorn", "-c", f"deploy/{kind}.conf.py", SERVES[kind]]
    with (data_dir / f"server-{port}.log").open("wb") as log:
        process = subprocess.Popen(
            command,
            cwd=ROOT,
            env=own,
            stdout=log,
            stderr=log,
            start_new_session=True,
        )
    server = ServiceProcess(port, process)
    try:
        server.wait_until_it_answers()
        yield server
    finally:
        server.kill()


@contextmanager
def shared(
    data_dir: Path, upstream_url: str, blocker: DjangoDbBlocker, **changes: str
) -> Iterator[ServiceProcess]:
    """A server for several tests, HTTP and sockets on one port: its start takes longer than many of
    them. It asks the school each time, so that a test sees what the school says now."""
    without = {"SESSION_CHECK_SECONDS": "0", "SCHOOL_CACHE_SECONDS": "0"}
    unlimited = {"RATE_LIMITS": "off", "ALLOW_UNLIMITED": "1"}
    changes = {**without, **unlimited, **changes}
    with running(data_dir, upstream_url, kind="sockets", **changes) as server:
        yield server
    with blocker.unblock():  # it may have counted something after the last test
        committed_rows.empty_after(TransactionTestCase())


def database_url() -> str:
    """The database of this test run."""
    own = connection.settings_dict
    if connection.vendor == "sqlite":
        return f"sqlite:///{own['NAME']}"
    return f"postgresql://{own['USER']}@{own['HOST']}:{own['PORT']}/{own['NAME']}"
