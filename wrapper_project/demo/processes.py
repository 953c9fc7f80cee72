"""Processes that one command starts, watches and takes down with it."""

import contextlib
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path
from types import TracebackType
from typing import Any, Self

ROOT = Path(__file__).resolve().parents[2]
_POLL_SECONDS = 0.1
_GOODBYE_SECONDS = 8.0


class ProcessDied(Exception):
    """A child ended that should have gone on, or failed at its one task."""


class Stopped(Exception):
    """Somebody pressed Ctrl-C, or sent SIGTERM or SIGHUP."""


class DemoProcesses:
    """A context: on the way out, however it comes, every child and grandchild is ended.

    Each child leads a process group of its own: a signal from the terminal reaches only us, and
    ours reaches everyone below the child.
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
        """Run `python ARGUMENTS` beside us; `quiet` drops what it prints, not its errors."""
        self._running[name] = subprocess.Popen(  # noqa: S603 - our own commands
            [sys.executable, *arguments],
            cwd=ROOT,
            env=self._environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL if quiet else None,
            start_new_session=True,
        )

    def finish(self, name: str, *arguments: str) -> None:
        """Run `python ARGUMENTS` to its end. Raises: ProcessDied, Stopped."""
        self.start(name, *arguments)
        while (code := self._running[name].poll()) is None:
            self._pause()
        del self._running[name]
        if code:
            raise ProcessDied(f"{name} failed (exit code {code}); its reason is above.")

    def wait_for_answer(self, name: str, port: int, path: str, seconds: float = 60) -> None:
        """Wait until `path` on this loopback port is answered with 200.

        Raises: ProcessDied, also for one that lives and says nothing; Stopped.
        """
        deadline = time.monotonic() + seconds
        while not _answers(port, path):
            self._check()
            self._pause()
            if time.monotonic() > deadline:
                raise ProcessDied(f"{name} does not answer on port {port}.")

    def watch(self) -> None:
        """Wait for as long as all goes well. Raises: ProcessDied, Stopped."""
        while True:
            self._check()
            self._pause()

    def _check(self) -> None:
        for name, child in self._running.items():
            if (code := child.poll()) is not None:
                raise ProcessDied(f"{name} has ended (exit code {code}); its reason is above.")

    def _pause(self) -> None:
        if self._stop.wait(_POLL_SECONDS):
            raise Stopped

    def __exit__(
        self,
        exc_type: type[BaseException] | None,
        exc: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Ask every child to end, wait, kill what is left. A second Ctrl-C changes nothing."""
        for child in self._running.values():
            child.terminate()
        deadline = time.monotonic() + _GOODBYE_SECONDS
        for child in self._running.values():
            with contextlib.suppress(subprocess.TimeoutExpired):
                child.wait(max(0.0, deadline - time.monotonic()))
            # Also where the child has gone: it may have left somebody behind.
            with contextlib.suppress(ProcessLookupError):
                os.killpg(child.pid, signal.SIGKILL)
            child.wait()
        for number, handler in self._handlers.items():
            signal.signal(number, handler)


def _answers(port: int, path: str) -> bool:
    """Whether our own child answers 200: a question to loopback, not HTTP to the outside."""
    question = f"GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
    try:
        with socket.create_connection(("127.0.0.1", port), timeout=5) as line:
            line.sendall(question.encode())
            return line.recv(64).startswith(b"HTTP/1.1 200 ")
    except OSError:
        return False
