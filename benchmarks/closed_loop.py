"""The closed loop: each request is sent when the one before is answered. Driven by wrk."""

import os
import selectors
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from benchmarks.processes import start, stop

SCRIPT = Path(__file__).with_name("replay.lua")
MISSING = "wrk, the load driver, is missing. Debian, Ubuntu: apt-get install wrk"


class CouldNotRun(Exception):
    """A scenario has no figure to show: wrong answers, a process that died, a missing tool."""


@dataclass(frozen=True)
class Request:
    """One request to replay. `expect` is a text that only the right answer contains."""

    path: str
    method: str = "GET"
    cookie: str = ""
    body: str = ""
    expect: str = ""

    def line(self) -> str:
        parts = [self.method, self.path, self.cookie, self.body, self.expect]
        assert not any("\t" in part or "\n" in part for part in parts)
        return "\t".join(parts)


@dataclass(frozen=True)
class ClosedLoopResult:
    """The result of a run. Latencies in ms, `seconds` from the first request to the last answer."""

    count: int
    p50: float
    p99: float
    seconds: float
    cpu: float  # seconds of the process under test, 0 if it was not measured

    @property
    def cpu_ms(self) -> float:
        """CPU of the process under test, in ms per request."""
        return self.cpu / self.count * 1000

    @property
    def rate(self) -> float:
        """Requests a second."""
        return self.count / self.seconds


def require_wrk() -> None:
    """
    Raises:
        CouldNotRun: wrk is not on the path; the message says how to get it.
    """
    if shutil.which("wrk") is None:
        raise CouldNotRun(MISSING)


def no_cost() -> float:
    """For runs without CPU measurement."""
    return 0.0


def replay(
    port: int,
    requests: list[Request],
    *,
    connections: int = 1,
    core: int | None = None,
    cost: Callable[[], float] = no_cost,
    timeout: float = 300,
) -> ClosedLoopResult:
    """Send every request once over `connections` connections.

    `cost` reads the CPU seconds of the process under test so far; it is read before and after.

    Raises:
        CouldNotRun: wrk is missing, an answer was wrong, or it took longer than `timeout` s.
    """
    require_wrk()
    with tempfile.NamedTemporaryFile("w", suffix=".requests", encoding="utf-8") as listed:
        listed.writelines(request.line() + "\n" for request in requests)
        listed.flush()
        command = ["wrk", "-t1", f"-c{connections}", f"-d{int(timeout)}s", "--timeout", "30s"]
        command += ["-s", str(SCRIPT), f"http://127.0.0.1:{port}", "--", listed.name]
        command.append(str(connections))
        process = start(command, core=core, stdout=subprocess.PIPE)
        try:
            return _watch(process, len(requests), cost, time.monotonic() + timeout)
        finally:
            stop(process)


def _watch(
    process: subprocess.Popen[bytes], count: int, cost: Callable[[], float], deadline: float
) -> ClosedLoopResult:
    """Follow what the script prints: begin, wrong …, finished, result …"""
    began = ended = cpu_before = cpu_after = 0.0
    complaints: list[str] = []
    for line in _lines(process, deadline):
        word, _, rest = line.partition(" ")
        if word == "begin":
            began, cpu_before = time.perf_counter(), cost()
        elif word == "wrong":
            complaints.append(rest)
        elif word == "finished":
            ended, cpu_after = time.perf_counter(), cost()
            os.kill(process.pid, signal.SIGINT)  # otherwise wrk sleeps for its whole duration
        elif word == "result":
            result = dict(pair.split("=") for pair in rest.split())
            bad = int(result["wrong"]) + int(result["broken"])
            if bad or not ended:
                output = f": {complaints[0]}" if complaints else ""
                raise CouldNotRun(f"{bad} of {result['answered']} answers were wrong{output}")
            return ClosedLoopResult(
                count=count,
                p50=int(result["p50"]) / 1000,
                p99=int(result["p99"]) / 1000,
                seconds=ended - began,
                cpu=cpu_after - cpu_before,
            )
    raise CouldNotRun("wrk ended without a result" + "".join(f": {one}" for one in complaints[:1]))


def _lines(process: subprocess.Popen[bytes], deadline: float) -> Iterator[str]:
    """What the process prints, line by line, until it ends.

    Raises:
        CouldNotRun: the deadline passed.
    """
    assert process.stdout is not None
    pipe = process.stdout.fileno()
    held = b""
    with selectors.DefaultSelector() as selector:
        selector.register(pipe, selectors.EVENT_READ)
        while True:
            if not selector.select(timeout=max(0.0, deadline - time.monotonic())):
                raise CouldNotRun("it took too long")
            read = os.read(pipe, 65536)
            if not read:
                return
            *whole, held = (held + read).split(b"\n")
            for line in whole:
                yield line.decode(errors="replace")
