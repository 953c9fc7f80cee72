"""The closed loop: a connection sends its next request when the one before is answered."""

import asyncio
import time
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, replace

from benchmarks.processes import CouldNotRun

SECONDS = 300.0  # for one run


@dataclass(frozen=True)
class Request:
    """One request to send. `expect` is a text that only the right answer contains."""

    path: str
    method: str = "GET"
    cookie: str = ""
    body: str = ""
    expect: str = ""

    def payload(self) -> bytes:
        """Its bytes on the wire."""
        body = self.body.encode()
        lines = [f"{self.method} {self.path} HTTP/1.1", "Host: 127.0.0.1"]
        lines.append("Accept: application/json")
        if self.cookie:
            lines.append(f"Cookie: {self.cookie}")
        if body:
            lines += ["Content-Type: application/json", f"Content-Length: {len(body)}"]
        return "\r\n".join([*lines, "", ""]).encode() + body


@dataclass(frozen=True)
class Run:
    """The result of a load: seconds of the clock, latencies in order of size, CPU seconds."""

    seconds: float
    latencies: list[float]
    cpu: float = 0.0

    def costing(self, cpu: float) -> "Run":
        """The same run with the CPU of the servers."""
        return replace(self, cpu=cpu)

    def measures(self) -> dict[str, float]:
        """Milliseconds for each request: of the clock, of CPU, and two percentiles."""
        count = len(self.latencies)
        return {
            "time ms": self.seconds / count * 1000,
            "CPU ms": self.cpu / count * 1000,
            "p50 ms": percentile(self.latencies, 0.5) * 1000,
            "p99 ms": percentile(self.latencies, 0.99) * 1000,
        }


def percentile(ordered: list[float], share: float) -> float:
    """The value below which this share of the sorted values is."""
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def replay(ports: list[int], requests: list[Request], *, connections: int) -> Run:
    """Send every request once; the connections are spread over the ports.

    Raises:
        CouldNotRun: an answer was wrong, a connection was lost, or it took too long.
    """
    return asyncio.run(_replay(ports, requests, connections))


async def _replay(ports: list[int], requests: list[Request], connections: int) -> Run:
    waiting = iter(requests)
    began = time.perf_counter()
    works = [_connection(ports[at % len(ports)], waiting) for at in range(connections)]
    try:
        parts = await asyncio.wait_for(asyncio.gather(*works), SECONDS)
    except (OSError, EOFError, TimeoutError) as error:
        raise CouldNotRun(f"no answer: {error!r}") from error
    seconds = time.perf_counter() - began
    return Run(seconds, sorted(latency for part in parts for latency in part))


async def _connection(port: int, waiting: Iterator[Request]) -> list[float]:
    """Send what is still waiting, one after the other; their latencies in seconds."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    latencies = []
    with closing(writer):
        for request in waiting:
            began = time.perf_counter()
            await exchange(reader, writer, request)
            latencies.append(time.perf_counter() - began)
    return latencies


async def exchange(
    reader: asyncio.StreamReader, writer: asyncio.StreamWriter, request: Request
) -> None:
    """Send a request and read its answer. Raises: CouldNotRun when it is not the right one."""
    writer.write(request.payload())
    head = await reader.readuntil(b"\r\n\r\n")
    _, _, rest = head.lower().partition(b"\r\ncontent-length:")
    body = await reader.readexactly(int(rest.partition(b"\r\n")[0]))
    if head[9:12] not in (b"200", b"201") or request.expect.encode() not in body:
        raise CouldNotRun(f"{request.method} {request.path}: {head[9:12]!r} {body[:300]!r}")
