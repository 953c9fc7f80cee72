"""A stand-in for upstream that is too fast to be the bottleneck, as a process of its own.

A bare protocol on uvloop: keep-alive, header and body in one write (two writes cost 40 ms each
through delayed acknowledgement), latency by a timer, no thread. It listens on loopback only.
`PUT /-/latency/20` sets the latency, `GET /-/calls` counts the calls by kind since the start.
`PUT /-/fault/{school}/{kind}` sets a fault of `faults.py`, `GET /-/arrivals/{school}` lists the
calls since then.
"""

import asyncio
import http.client
import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, cast

import uvloop

from benchmarks.fake_upstream.answers import Answers
from benchmarks.fake_upstream.faults import Fault
from benchmarks.processes import start, stop


class Exchange(asyncio.Protocol):
    """One connection. Requests are answered in order, even if they are pipelined."""

    def __init__(
        self, answers: Answers, shared: dict[str, float], faults: dict[str, Fault]
    ) -> None:
        self.answers = answers
        self.shared = shared
        self.faults = faults
        self.buffer = b""
        self.paused = False
        self.transport: asyncio.Transport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast("asyncio.Transport", transport)

    def data_received(self, data: bytes) -> None:
        self.buffer += data
        while (end := self.buffer.find(b"\r\n\r\n")) >= 0:
            head = self.buffer[:end]
            length = _content_length(head)
            if len(self.buffer) < end + 4 + length:
                return
            body = self.buffer[end + 4 : end + 4 + length]
            self.buffer = self.buffer[end + 4 + length :]
            self._exchange(head, body)

    def _exchange(self, head: bytes, body: bytes) -> None:
        line, _, headers = head.partition(b"\r\n")
        method, target, _ = line.decode("latin-1").split(" ", 2)
        path = target.partition("?")[0]
        if path.startswith("/-/"):
            self.send(self._control(path))
            return
        kind, answer = self.answers.answer(method, path, headers, body)
        fault = self.faults.get(path.split("/", 2)[1])
        latency = self.shared["latency"]
        if latency:
            asyncio.get_running_loop().call_later(latency, self._reply, fault, kind, answer)
        else:
            self._reply(fault, kind, answer)

    def _reply(self, fault: Fault | None, kind: str, right: bytes) -> None:
        answer = fault.answer(self, kind, right) if fault else right
        if answer is not None:
            self.send(answer)

    def _control(self, path: str) -> bytes:
        what, *words = path.split("/")[2:]
        reply: object = self.answers.calls
        if what == "latency":
            self.shared["latency"] = float(words[0]) / 1000
        elif what == "fault":
            self.faults[words[0]] = Fault(words[1])
        elif what == "arrivals":
            reply = self.faults[words[0]].arrivals
        body = json.dumps(reply).encode()
        return b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%b" % (len(body), body)

    def send(self, data: bytes) -> bool:
        """Write; False if the connection is closed."""
        if self.transport is None or self.transport.is_closing():
            return False
        self.transport.write(data)
        return True

    def pause_writing(self) -> None:
        self.paused = True

    def resume_writing(self) -> None:
        self.paused = False


def _content_length(head: bytes) -> int:
    at = head.lower().find(b"\r\ncontent-length:")
    if at < 0:
        return 0
    return int(head[at + 17 :].split(b"\r\n", 1)[0])


@dataclass(frozen=True)
class FakeUpstream:
    """A running fake: `url` is the base address, without the school."""

    port: int

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def set_latency(self, milliseconds: float) -> None:
        """Delay every response from now on."""
        self._control_request("PUT", f"/-/latency/{milliseconds}")

    def calls(self) -> dict[str, int]:
        """Calls since the start: lessons, session, password, token, translate, …"""
        return {
            str(kind): int(count)
            for kind, count in self._control_request("GET", "/-/calls").items()
        }

    def set_fault(self, school: str, kind: str) -> None:
        """Set the fault of a school; see `faults.py`."""
        self._control_request("PUT", f"/-/fault/{school}/{kind}")

    def arrivals(self, school: str) -> list[tuple[float, str]]:
        """Calls to a school since its last fault was set: seconds since then, kind."""
        return [
            (float(at), str(kind))
            for at, kind in self._control_request("GET", f"/-/arrivals/{school}")
        ]

    def _control_request(self, method: str, path: str) -> Any:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=5)
        try:
            connection.request(method, path)
            return json.loads(connection.getresponse().read())
        finally:
            connection.close()


@contextmanager
def run_fake_upstream(*, core: int | None = None) -> Iterator[FakeUpstream]:
    """A fake upstream in its own process on a free port, stopped at the end."""
    command = [sys.executable, "-m", "benchmarks.fake_upstream.server"]
    process = start(command, core=core, stdout=subprocess.PIPE)
    try:
        assert process.stdout is not None
        output = process.stdout.readline()
        if not output.startswith(b"listening on "):
            raise RuntimeError("the fake upstream did not start")
        yield FakeUpstream(port=int(output.rpartition(b":")[2]))
    finally:
        stop(process)


async def serve() -> None:
    """Serve until killed; the first line of standard output has the port."""
    answers, shared = Answers(), {"latency": 0.0}
    faults: dict[str, Fault] = {}
    loop = asyncio.get_running_loop()
    server = await loop.create_server(lambda: Exchange(answers, shared, faults), "127.0.0.1", 0)
    print(f"listening on 127.0.0.1:{server.sockets[0].getsockname()[1]}", flush=True)
    await server.serve_forever()


if __name__ == "__main__":
    uvloop.run(serve())
