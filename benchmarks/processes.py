"""Starts processes on one core, stops them, and reads their CPU and memory from `/proc` (Linux)."""

import contextlib
import os
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO

ROOT = Path(__file__).resolve().parent.parent
# Before this process is pinned to one of them.
CORES = sorted(os.sched_getaffinity(0))
READY_SECONDS = 180.0
_TICKS = os.sysconf("SC_CLK_TCK")


class CouldNotRun(Exception):
    """A scenario has no figure: a wrong answer, a process that died, a missing store."""


@contextmanager
def running(
    command: Sequence[str],
    *,
    cores: Sequence[int] = CORES,
    environment: dict[str, str] | None = None,
    root: Path = ROOT,
    log: int | IO[bytes] = subprocess.DEVNULL,
) -> Iterator["subprocess.Popen[bytes]"]:
    """A process on these cores. At the end it and its children are stopped: SIGTERM, then SIGKILL.

    It has a process group of its own, so that Ctrl-C reaches only this process, which stops it.
    """
    if shutil.which("taskset") is not None:
        command = ["taskset", "-c", ",".join(map(str, cores)), *command]
    process = subprocess.Popen(
        command, cwd=root, env=environment, stdout=log, stderr=log, start_new_session=True
    )
    try:
        yield process
    finally:
        process.terminate()
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(timeout=15)
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def wait_until(ready: Callable[[], bool], process: "subprocess.Popen[bytes]", what: str) -> None:
    """
    Raises:
        CouldNotRun: the process ended, or is not ready after `READY_SECONDS`.
    """
    deadline = time.monotonic() + READY_SECONDS
    while not ready():
        if process.poll() is not None or time.monotonic() > deadline:
            raise CouldNotRun(f"{what} did not start")
        time.sleep(0.05)


def _workers(pid: int) -> list[int]:
    """The direct children of a process."""
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def cpu_seconds(master: int) -> float:
    """User and system time that the workers of a gunicorn have used so far."""
    spent = 0
    for pid in _workers(master):
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        spent += int(fields[11]) + int(fields[12])
    return spent / _TICKS


def resident_kib(master: int) -> int:
    """The resident memory of the workers of a gunicorn."""
    lines = [
        line
        for pid in _workers(master)
        for line in Path(f"/proc/{pid}/status").read_text().splitlines()
        if line.startswith("VmRSS:")
    ]
    return sum(int(line.split()[1]) for line in lines)


def free_port() -> int:
    """A loopback port that nothing listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port
