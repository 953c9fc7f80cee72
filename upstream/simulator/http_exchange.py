"""A request, its response, and the connection that the response is sent on."""

import asyncio
import json
import socket
import struct
from collections.abc import Awaitable, Callable, MutableMapping
from dataclasses import dataclass, field, replace
from email.utils import formatdate
from typing import Any, Self
from urllib.parse import parse_qsl

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class Request:
    """A request. Header names are lower-case; `args` are the named parts of the path."""

    method: str
    path: str
    query: dict[str, str] = field(repr=False)
    headers: dict[str, str] = field(repr=False)
    body: bytes = field(repr=False)
    args: dict[str, str] = field(default_factory=dict)

    @property
    def school(self) -> str:
        """The first part of the path, even if there is no such school."""
        return self.args.get("school", "")

    @property
    def cookies(self) -> dict[str, str]:
        """Values by name; of two cookies with the same name, the first."""
        pairs = [part.strip().partition("=") for part in self.headers.get("cookie", "").split(";")]
        return {name: value for name, _, value in reversed(pairs)}

    @property
    def bearer(self) -> str | None:
        scheme, _, token = self.headers.get("authorization", "").partition(" ")
        return token if scheme == "Bearer" and token else None

    @property
    def base_url(self) -> str:
        return f"http://{self.headers.get('host', '127.0.0.1')}"

    def json_object(self) -> dict[str, Any] | None:
        """The body as a JSON object, or None if it is anything else."""
        try:
            data = json.loads(self.body)
        except ValueError:
            return None
        return data if isinstance(data, dict) else None


@dataclass(frozen=True, slots=True)
class Response:
    """A response. Each cookie is a `Set-Cookie` header of its own."""

    status: int = 200
    body: bytes = b""
    headers: tuple[tuple[str, str], ...] = ()

    def with_body(self, body: bytes) -> Self:
        return replace(self, body=body)

    def with_headers(self, *headers: tuple[str, str]) -> Self:
        return replace(self, headers=(*self.headers, *headers))


def as_json(data: object, status: int = 200) -> Response:
    body = json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode()
    return Response(status, body, (("Content-Type", "application/json;charset=UTF-8"),))


def as_html(text: str, status: int = 200) -> Response:
    """A page as their servers send it: declared as ISO-8859-1, encoded as windows-1252."""
    content_type = ("Content-Type", "text/html; charset=ISO-8859-1")
    return Response(status, text.encode("cp1252", "xmlcharrefreplace"), (content_type,))


UNAUTHORIZED = as_json({"error": "Unauthorized"}, 401)
FORBIDDEN = as_json({"error": "Forbidden"}, 403)
NOT_FOUND = as_html("<html><body><h1>HTTP Status 404</h1></body></html>", 404)


def redirect(location: str, status: int = 302) -> Response:
    return Response(status, b"", (("Location", location),))


async def read_request(scope: Message, receive: Receive) -> Request:
    body = b""
    while True:
        message = await receive()
        body += message.get("body", b"")
        if not message.get("more_body"):
            break
    headers: dict[str, str] = {}
    for name, value in scope["headers"]:
        key = name.decode("latin-1").lower()
        joined = "; " if key == "cookie" else ", "
        text = value.decode("latin-1")
        headers[key] = headers[key] + joined + text if key in headers else text
    query = dict(parse_qsl(scope["query_string"].decode("latin-1"), keep_blank_values=True))
    return Request(scope["method"], scope["path"], query, headers, body)


class Connection:
    """The connection to one client: sends whole responses, parts of them, or cuts it."""

    def __init__(
        self, receive: Receive, send: Send, transport: asyncio.Transport | None = None
    ) -> None:
        self._receive = receive
        self._send = send
        self._transport = transport
        self._disconnected: asyncio.Task[None] | None = None

    async def send(self, response: Response) -> None:
        bodiless = response.status in (204, 304)
        await self.send_head(response, length=None if bodiless else len(response.body))
        await self.send_chunk(response.body, last=True)

    async def send_head(self, response: Response, *, length: int | None) -> None:
        """Send status and headers; without a length the body is sent in chunks."""
        headers = [(n.lower().encode(), v.encode("latin-1")) for n, v in response.headers]
        headers.append((b"date", formatdate(usegmt=True).encode()))
        if length is not None:
            headers.append((b"content-length", str(length).encode()))
        await self._send(
            {"type": "http.response.start", "status": response.status, "headers": headers}
        )

    async def send_chunk(self, data: bytes, *, last: bool = False) -> None:
        await self._send({"type": "http.response.body", "body": data, "more_body": not last})

    def disconnected(self) -> asyncio.Task[None]:
        """A task that is done when the client has closed the connection."""
        if self._disconnected is None:
            self._disconnected = asyncio.ensure_future(self._wait_for_disconnect())
        return self._disconnected

    async def _wait_for_disconnect(self) -> None:
        while (await self._receive())["type"] != "http.disconnect":
            pass

    async def close(self) -> None:
        """Stop waiting for the client to disconnect."""
        if self._disconnected is not None:
            self._disconnected.cancel()
            await asyncio.gather(self._disconnected, return_exceptions=True)

    async def cut(self, *, reset: bool) -> None:
        """Close the connection now, with a TCP reset or in the middle of a response."""
        if self._transport is None:
            return
        if reset:
            raw: socket.socket = self._transport.get_extra_info("socket")
            # Linger for zero seconds: closing sends RST instead of FIN.
            raw.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            self._transport.abort()
        else:
            self._transport.close()
        await self.disconnected()
