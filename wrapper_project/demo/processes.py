"""Child processes that the demo command starts, watches and ends."""

import contextlib
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any, Self

ROOT = Path(__file__).resolve().parents[2]
_POLL_SECONDS = 0.1
_STOP_SECONDS = 8.0


class ProcessDied(Exception):
    """A child process ended too early, or failed."""


class Stopped(Exception):
    """Somebody pressed Ctrl-C, or sent SIGTERM or SIGHUP."""


class DemoProcesses:
    """A context manager that ends every child and grandchild process on exit.

    Each child has its own process group: a signal from the terminal reaches only this process, and
    a signal to the group reaches the child's own children.
    """

    def __init__(self, environment: dict[str, str]) -> None:
        self._environment = environment
        self._running: dict[str, subprocess.Popen[bytes]] = {}
        self._stop = threading.Event()
        self._handlers: dict[signal.Signals, Any] = {}

    def __enter__(self) -> Self:
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            self._handlers[number] = signal.signal(number, lambda *_: self._stop.set())
        return self

    def start(self, name: str, *arguments: str, quiet: bool = False) -> None:
        """Start `python ARGUMENTS`; `quiet` hides its standard output, not its errors."""
        self._running[name] = subprocess.Popen(  # noqa: S603 - our own commands
            [sys.executable, *arguments],
            cwd=ROOT,
            env=self._environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL if quiet else None,
            start_new_session=True,
        )

    def finish(self, name: str, *arguments: str) -> None:
        """Run `python ARGUMENTS` until it ends. Raises: ProcessDied, Stopped."""
        self.start(name, *arguments)
        while (code := self._running[name].poll()) is None:
            self._pause()
        del self._running[name]
        if code:
            raise ProcessDied(f"{name} failed (exit code {code}); the reason is above.")

    def wait_for_answer(self, name: str, port: int, path: str, seconds: float = 60) -> None:
        """Wait until `path` on this loopback port responds with 200.

        Raises: ProcessDied, also if it does not respond in time; Stopped.
        """
        deadline = time.monotonic() + seconds
        while not _responds(port, path):
            self._check()
            self._pause()
            if time.monotonic() > deadline:
                raise ProcessDied(f"{name} does not respond on port {port}.")

    def watch(self) -> None:
        """Wait until a child ends or somebody stops the demo. Raises: ProcessDied, Stopped."""
        while True:
            self._check()
            self._pause()

    def _check(self) -> None:
        for name, child in self._running.items():
            if (code := child.poll()) is not None:
                raise ProcessDied(f"{name} has ended (exit code {code}); the reason is above.")

    def _pause(self) -> None:
        if self._stop.wait(_POLL_SECONDS):
            raise Stopped

    def __exit__(self, *_exception: object) -> None:
        """Terminate every child, wait, then kill. A second Ctrl-C has no effect."""
        for child in self._running.values():
            child.terminate()
        deadline = time.monotonic() + _STOP_SECONDS
        for child in self._running.values():
            with contextlib.suppress(subprocess.TimeoutExpired):
                child.wait(max(0.0, deadline - time.monotonic()))
            # Also if the child has ended: its own children may still run.
            with contextlib.suppress(ProcessLookupError):
                os.killpg(child.pid, signal.SIGKILL)
            child.wait()
        for number, handler in self._handlers.items():
            signal.signal(number, handler)


def _responds(port: int, path: str) -> bool:
    request = f"GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
    try:
        with socket.create_connection(("127.0.0.1", port), timeout=5) as connection:
            connection.sendall(request.encode())
            return connection.recv(64).startswith(b"HTTP/1.1 200 ")
    except OSError:
        return False
