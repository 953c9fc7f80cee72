"""A client of a running service that records every response."""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

import urllib3
from websockets.exceptions import WebSocketException
from websockets.sync.client import connect

from tests.service_process import ServiceProcess
from tests.wrapper_project.servers import exchange

# Variable parts of a path: ids, and tokens of shared notes.
_ID = re.compile(r"[0-9a-f]{32}")
_SHARED = re.compile(r"/shared/[\w-]+")


@dataclass(frozen=True)
class Answer:
    """A recorded response. `path` has `{id}` instead of ids; `text` is headers and body."""

    method: str
    path: str
    status: int
    text: bytes


class Visitor:
    """A client that keeps and sends cookies."""

    def __init__(self, web: ServiceProcess, sockets: ServiceProcess) -> None:
        self.answers: list[Answer] = []
        self.frames = b""
        self.feeds: set[str] = set()
        self.share_tokens: set[str] = set()
        self.attempts: set[str] = set()
        self.tickets: set[str] = set()
        self.last: dict[str, Any] = {}
        """The last successful response, as JSON."""
        self._web = web.url
        self._sockets = sockets.url
        self._token = ""
        self._cookies: dict[str, str] = {}
        self._http = urllib3.PoolManager(retries=False)

    def bearer(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self._token}"}

    def ask(
        self,
        method: str,
        path: str,
        body: Mapping[str, Any] | None = None,
        *,
        headers: Mapping[str, str] | None = None,
    ) -> int:
        """Send JSON and return the status. Sends the cookies unless `headers` is given."""
        shown = {"Cookie": "; ".join(f"{name}={value}" for name, value in self._cookies.items())}
        data = b"" if body is None else json.dumps(body).encode()
        return self.send(method, path, data, headers=headers or shown)

    def send(
        self, method: str, path: str, body: bytes = b"", *, headers: Mapping[str, str] | None = None
    ) -> int:
        """Send a request with exactly these headers and return the status."""
        self._http.clear()  # a server may close the connection after refusing a body
        answer = self._http.request(
            method, self._web + path, body=body, headers=dict(headers or {}), timeout=40
        )
        lines = "".join(f"{name}: {value}\r\n" for name, value in answer.headers.items())
        self._keep(method, path, answer.status, lines.encode() + answer.data)
        for line in answer.headers.getlist("Set-Cookie"):
            name, _, value = line.partition(";")[0].partition("=")
            self._cookies[name] = value
        if answer.status < 300 and answer.data.startswith(b"{"):
            self.last = json.loads(answer.data)
            if not path.endswith("/share"):  # another kind of token
                said = self.last.get("token") or self.last.get("access_token")
                self._token = said or self._token
        return answer.status

    def start_at_school(self, path: str) -> str:
        """Begin a sign-in through the school's own page; its address."""
        assert self.ask("GET", path, headers={"Accept": "application/json"}) == 200
        self.attempts.add(self._cookies["wrapper_login"])
        return str(self.last["url"])

    def keep_ticket(self) -> str:
        """The ticket that the last answer has sent to an app."""
        found = re.search(rb"ticket=([\w-]+)", self.answers[-1].text)
        assert found is not None
        self.tickets.add(found[1].decode())
        return found[1].decode()

    def say_to_all(self, *requests: bytes) -> None:
        """Send raw bytes to each process."""
        for request in requests:
            for url in {self._web, self._sockets}:
                said = exchange(urlsplit(url).port or 0, request)
                self._keep("RAW", "", 400, said)

    def _keep(self, method: str, path: str, status: int, text: bytes) -> None:
        route = _SHARED.sub("/shared/{token}", _ID.sub("{id}", path.partition("?")[0]))
        self.answers.append(Answer(method, route, status, text))

    def _socket(self, path: str, headers: Mapping[str, str]) -> Any:
        url = self._sockets.replace("http:", "ws:") + path
        return connect(url, additional_headers=dict(headers), proxy=None, open_timeout=20)

    def try_socket(self, path: str, headers: Mapping[str, str]) -> None:
        """Open a socket that is refused or closed."""
        try:
            with self._socket(path, headers) as socket:
                self._hear(socket)
        except WebSocketException as refused:
            response = getattr(refused, "response", None)
            if response is not None:
                self._keep("SOCKET", path, response.status_code, bytes(response.body or b""))

    def _hear(self, socket: Any) -> None:
        with suppress(WebSocketException):
            while True:
                frame = socket.recv(timeout=20)
                self.frames += frame if isinstance(frame, bytes) else frame.encode()
        self.frames += str(socket.close_reason).encode()

    @contextmanager
    def listening(self) -> Iterator[Callable[[str | bytes], None]]:
        """A socket with the cookies; its frames are recorded until it is closed."""
        cookies = "; ".join(f"{name}={value}" for name, value in self._cookies.items())
        with self._socket("/ws", {"Cookie": cookies}) as socket:
            self.frames += socket.recv(timeout=20).encode()

            def say(frame: str | bytes) -> None:
                with suppress(WebSocketException):
                    socket.send(frame)
                    answer = socket.recv(timeout=20)
                    self.frames += answer if isinstance(answer, bytes) else answer.encode()

            yield say
            with suppress(TimeoutError):
                self._hear_rest(socket)

    def _hear_rest(self, socket: Any) -> None:
        with suppress(WebSocketException):
            while True:
                self.frames += socket.recv(timeout=2).encode()
