"""A push service on a loopback port: what Mozilla and Google run for their browsers.

It is as strict as theirs. `answer_with` makes it fail in every way that a service can.
"""

import secrets
import socket
import ssl
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import Final

from tests.notifications.autopush import BrowserSide
from tests.notifications.certificates import Certificates
from tests.notifications.web_push import NotSigned, Receiver, Signature, verify_vapid
from tests.upstream import raw_server
from tests.upstream.raw_server import Piece, Received, http

# What services promise to take (RFC 8030, section 7.2).
MAX_BODY: Final = 4096
MAX_TOPIC: Final = 32
_GIGABYTE: Final = 1 << 30
_PATH: Final = "/push/"


@dataclass(frozen=True)
class Push:
    """A received request. Header names are in lower case."""

    method: str
    path: str
    headers: dict[str, str]
    body: bytes
    connection: int

    @property
    def subscription(self) -> str:
        return self.path.removeprefix(_PATH)


Answer = Callable[[Push], Iterable[Piece]]


def status(code: int, **headers: str) -> Answer:
    """This status. Underscores in header names stand for hyphens."""
    return lambda _: [http(b"", status=code, **headers)]


def drip(_: Push) -> Iterator[Piece]:
    """201, one byte a second."""
    for byte in http(status=201):
        yield bytes([byte])
        yield 1.0


def endless_body(_: Push) -> Iterator[Piece]:
    """201 with a gigabyte."""
    yield f"HTTP/1.1 201 Created\r\nContent-Length: {_GIGABYTE}\r\n\r\n".encode()
    for _part in range(_GIGABYTE >> 16):
        yield bytes(1 << 16)


def endless_headers(_: Push) -> Iterator[Piece]:
    """201 with a gigabyte of headers."""
    yield b"HTTP/1.1 201 Created\r\n"
    for number in range(_GIGABYTE >> 10):
        yield f"X-{number}: {'x' * 1010}\r\n".encode()


class PushService:
    """`url` is its origin. `received` has every request, in order, also those that got no answer.
    `browsers` is the side to which Firefox connects."""

    def __init__(self) -> None:
        self.url = ""
        self.received: list[Push] = []
        self.browsers = BrowserSide(self._new_endpoint)
        self._lock = threading.Lock()
        self._answers: list[Answer] = [self.accept]
        self._receivers: dict[str, Receiver] = {}
        self._connections: list[socket.socket] = []
        self._holds: list[threading.Event] = []

    def new_subscription(self) -> dict[str, object]:
        """As a browser makes one; its private key stays here."""
        endpoint = self._new_endpoint()
        receiver = Receiver()
        self._receivers[self._id(endpoint)] = receiver
        return {"endpoint": endpoint, "keys": receiver.keys}

    def answer_with(self, *answers: Answer) -> None:
        """One answer after the other; the last one repeats. Without any: `accept` again."""
        self._answers = list(answers) or [self.accept]

    def accept(self, push: Push) -> Iterable[Piece]:
        """201, after what a push service checks. A browser gets the push."""
        refused = self._refusal(push)
        if refused is not None:
            return [http(refused[1].encode(), status=refused[0], kind="text/plain")]
        message = secrets.token_hex(16)
        self.browsers.deliver(push.subscription, message, push.body)
        location = f"{self.url}/message/{message}"
        return [http(status=201, Location=location, TTL=push.headers["ttl"])]

    def hold(self) -> tuple[Answer, threading.Event]:
        """An answer that comes when the event is set, and the event."""
        released = threading.Event()
        self._holds.append(released)

        def answer(push: Push) -> Iterator[Piece]:
            released.wait()
            yield from self.accept(push)

        return answer, released

    def reset(self, push: Push) -> Iterator[Piece]:
        """Answer nothing but a reset of the connection."""
        raw_server.reset_when_closed(self._connections[push.connection - 1])
        yield b""

    def decrypt(self, push: Push) -> bytes:
        """What the subscription would show. Raises: Unreadable."""
        return self._receivers[push.subscription].decrypt(push.body)

    def verify_vapid(self, push: Push) -> Signature:
        """Raises: NotSigned."""
        return verify_vapid(push.headers.get("authorization", ""), self.url)

    def secure(self, context: ssl.SSLContext, plain: socket.socket) -> socket.socket:
        """The handshake is done by the thread of the connection, when it first reads."""
        secured = context.wrap_socket(plain, server_side=True, do_handshake_on_connect=False)
        self._connections.append(secured)
        return secured

    def script(self, request: Received) -> Iterable[Piece]:
        push = Push(
            request.method, request.target, request.headers, request.body, request.connection
        )
        with self._lock:
            self.received.append(push)
            answer = self._answers.pop(0) if len(self._answers) > 1 else self._answers[0]
        return answer(push)

    def release_all(self) -> None:
        for released in self._holds:
            released.set()

    def _new_endpoint(self) -> str:
        return f"{self.url}{_PATH}{secrets.token_urlsafe(32)}"

    def _id(self, endpoint: str) -> str:
        return endpoint.removeprefix(self.url + _PATH)

    def _refusal(self, push: Push) -> tuple[int, str] | None:
        """Status and reason."""
        if push.method != "POST" or not push.path.startswith(_PATH):
            return 405, "not a push"
        if push.subscription in self.browsers.ended:
            return 410, "unsubscribed"
        if push.subscription not in self._receivers | self.browsers.channels:
            return 404, "no such subscription"
        if len(push.body) > MAX_BODY:
            return 413, "too long"
        wrong = _wrong_headers(push.headers)
        if wrong:
            return 400, wrong
        try:
            signature = self.verify_vapid(push)
        except NotSigned as error:
            return 401, str(error)
        channel = self.browsers.channels.get(push.subscription)
        if channel is not None and channel.signer not in ("", signature.key):
            return 403, "subscribed for another sender"
        return None


def _wrong_headers(headers: dict[str, str]) -> str:
    """What is wrong with them, or nothing."""
    if not headers.get("ttl", "").isdigit():
        return "no TTL"
    if headers.get("content-encoding") != "aes128gcm":
        return "not aes128gcm"
    if headers.get("urgency", "normal") not in ("very-low", "low", "normal", "high"):
        return "no urgency"
    topic = headers.get("topic", "x")
    if not 0 < len(topic) <= MAX_TOPIC or not topic.replace("-", "").replace("_", "").isalnum():
        return "no topic"
    return ""


@contextmanager
def running(certificates: Certificates) -> Iterator[PushService]:
    """A push service with both sides, for `localhost`."""
    service = PushService()
    wrap = partial(service.secure, certificates.server_context())
    with (
        service.browsers.serving(),
        raw_server.serve(service.script, wrap=wrap, scheme="https") as server,
    ):
        service.url = server.url.replace("127.0.0.1", "localhost")
        try:
            yield service
        finally:
            service.release_all()
