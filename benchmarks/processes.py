"""Starts processes on one core, stops them, and reads their CPU and memory from `/proc` (Linux)."""

import contextlib
import os
import shutil
import signal
import socket
import subprocess
from pathlib import Path
from typing import IO

ROOT = Path(__file__).resolve().parent.parent
# Before this process is pinned to one of them.
_CORES = sorted(os.sched_getaffinity(0))
_TICKS = os.sysconf("SC_CLK_TCK")


def cores() -> tuple[int | None, int | None]:
    """(core of the service, core of the driver and the fake upstream); None: not pinned.

    With a single core or without taskset nothing is pinned, and the figures are less exact.
    """
    if len(_CORES) < 2 or shutil.which("taskset") is None:
        return None, None
    return _CORES[0], _CORES[1]


def bound(command: list[str], core: int | None) -> list[str]:
    """The command, pinned to a core, and ended when the thread that starts it ends. None: on every
    core, also when this process is pinned to one."""
    if shutil.which("taskset") is not None:
        allowed = _CORES if core is None else [core]
        command = ["taskset", "-c", ",".join(map(str, allowed)), *command]
    if shutil.which("setpriv") is not None:  # util-linux, as taskset
        command = ["setpriv", "--pdeathsig", "TERM", *command]
    return command


def start(
    command: list[str],
    *,
    core: int | None = None,
    environment: dict[str, str] | None = None,
    root: Path = ROOT,
    stdout: int | IO[bytes] = subprocess.DEVNULL,
    stderr: int | IO[bytes] | None = None,
) -> subprocess.Popen[bytes]:
    """Start in a process group of its own, so that `stop` reaches it all and Ctrl-C does not."""
    return subprocess.Popen(
        bound(command, core),
        cwd=root,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=stdout,
        stderr=stderr,
        start_new_session=True,
    )


def stop(process: subprocess.Popen[bytes], *, timeout: float = 8) -> None:
    """End a process and its group: SIGTERM, wait `timeout` seconds, then SIGKILL."""
    _signal_group(process, signal.SIGTERM)
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(timeout=timeout)
    _signal_group(process, signal.SIGKILL)
    process.wait()
    if process.stdout is not None:
        process.stdout.close()


def _signal_group(process: subprocess.Popen[bytes], number: signal.Signals) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, number)


def children(pid: int) -> list[int]:
    """The direct children of a process, oldest first."""
    found = Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii")
    return [int(child) for child in found.split()]


def cpu_seconds(pid: int) -> float:
    """User and system time of a process and its threads so far, in steps of a clock tick."""
    line = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8")
    fields = line.rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / _TICKS


def resident_mib(pid: int) -> float:
    """The resident memory of a process (VmRSS), in MiB."""
    for line in Path(f"/proc/{pid}/status").read_text(encoding="utf-8").splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) / 1024
    raise ProcessLookupError(pid)


def free_port() -> int:
    """A loopback port that nothing listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port
