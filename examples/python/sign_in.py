"""Signing in, and renewing the session: what the generated client leaves to its user."""

import os
from collections.abc import Generator
from getpass import getpass
from typing import Any

import httpx

from wrapper_client import Client
from wrapper_client.api.session import login
from wrapper_client.models import LoginRequestRequest
from wrapper_client.types import Response

SERVICE = os.environ.get("SERVICE", "http://127.0.0.1:8000")
SCHOOL = os.environ.get("SCHOOL", "bjorkdalen")


class Refused(Exception):
    """The service answered with an error. The text is its sentence for the person."""

    def __init__(self, status: int, sentence: str) -> None:
        super().__init__(sentence)
        self.status = status

    @property
    def is_temporary(self) -> bool:
        """Whether the same request may succeed later."""
        return self.status == 429 or self.status >= 500


class Token(httpx.Auth):
    """Sends the access token. After a 401 it renews the session once and repeats the request."""

    requires_response_body = True

    def __init__(self, value: str) -> None:
        self.value = value

    @property
    def header(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.value}"}

    def auth_flow(self, request: httpx.Request) -> Generator[httpx.Request, httpx.Response, None]:
        request.headers.update(self.header)
        response = yield request
        if response.status_code == 401:
            address = request.url.join("/api/refresh")
            renewal = yield httpx.Request("POST", address, headers=self.header)
            if renewal.is_success:
                self.value = renewal.json()["access_token"]
                request.headers.update(self.header)
                yield request


def sign_in(username: str) -> tuple[Client, Token]:
    """A client that acts for this person. The password is in PASSWORD, or is asked for."""
    password = os.environ.get("PASSWORD") or getpass(f"Password of {username}: ")
    credentials = LoginRequestRequest(username=username, password=password, school=SCHOOL)
    with Client(base_url=SERVICE) as anonymous:
        answer = good(login.sync_detailed(client=anonymous, body=credentials))
    token = Token(answer.token)
    return Client(base_url=SERVICE, httpx_args={"auth": token}), token


def good(response: Response[Any]) -> Any:
    """The body of a successful answer. Raises: Refused for any other one."""
    if response.status_code < 400:
        return response.parsed
    sentence = getattr(response.parsed, "error", response.status_code.phrase)
    raise Refused(response.status_code, sentence)
