"""Calls the shipped WSGI application in this process."""

import io
import json
import sys
from collections.abc import Callable, Iterable
from typing import Any
from wsgiref.util import setup_testing_defaults

from benchmarks.closed_loop import CouldNotRun, Request
from benchmarks.users import User, login_request


class WsgiCaller:
    """Calls a WSGI application as a server does, with or without a JSON body."""

    def __init__(self, application: Callable[..., Iterable[bytes]]) -> None:
        self.application = application

    def __call__(
        self, method: str, path: str, cookie: str = "", body: str = ""
    ) -> tuple[str, list[tuple[str, str]], bytes]:
        """(status line, headers, body)"""
        started: dict[str, Any] = {}

        def start_response(status: str, headers: list[tuple[str, str]], *_: object) -> None:
            started.update(status=status, headers=headers)

        answer = self.application(_environ(method, path, cookie, body), start_response)
        try:
            content = b"".join(answer)
        finally:
            if hasattr(answer, "close"):
                answer.close()
        return started["status"], started["headers"], content


def _environ(method: str, path: str, cookie: str, body: str) -> dict[str, Any]:
    bare, _, query = path.partition("?")
    environ: dict[str, Any] = {
        "REQUEST_METHOD": method,
        "PATH_INFO": bare,
        "QUERY_STRING": query,
        "REMOTE_ADDR": "127.0.0.1",
        "HTTP_ACCEPT": "application/json",
        "CONTENT_TYPE": "application/json" if body else "",
        "CONTENT_LENGTH": str(len(body.encode())) if body else "",
        "wsgi.input": io.BytesIO(body.encode()),
        "wsgi.errors": sys.stderr,
    }
    if cookie:
        environ["HTTP_COOKIE"] = cookie
    setup_testing_defaults(environ)  # the rest
    return environ


def log_in(call: WsgiCaller, number: int) -> User:
    """Log an account in. Raises CouldNotRun."""
    request = login_request(number)
    status, headers, body = call("POST", request.path, body=request.body)
    if not status.startswith("200"):
        raise CouldNotRun(f"login: {status} {json.loads(body)}")
    given = [value for name, value in headers if name.lower() == "set-cookie"]
    return User(number, "; ".join(line.partition(";")[0] for line in given))


def send(call: WsgiCaller, requests: list[Request]) -> None:
    """Send them in order. Raises CouldNotRun if an answer is wrong."""
    for request in requests:
        status, _, body = call(request.method, request.path, request.cookie, request.body)
        if not status.startswith("20") or request.expect.encode() not in body:
            raise CouldNotRun(f"{request.path}: {status} {body[:200]!r}")
