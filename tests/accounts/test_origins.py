"""Which origins may open a socket."""

import pytest
from pytest_django.fixtures import Settings

from accounts.websocket_auth import origin_allowed


def allowed(origin: str, *, scheme: str, host: str = "school.example") -> bool:
    headers = [(b"host", host.encode()), (b"origin", origin.encode())]
    return origin_allowed({"scheme": scheme, "headers": headers})


@pytest.fixture(autouse=True)
def nothing_listed(settings: Settings) -> None:
    settings.CORS_ALLOWED_ORIGINS = []
    settings.PUBLIC_URL = ""


def test_a_page_over_http_cannot_open_a_secure_socket() -> None:
    assert allowed("https://school.example", scheme="wss")
    assert not allowed("http://school.example", scheme="wss")
    assert allowed("http://school.example", scheme="ws")


def test_default_ports_make_no_difference() -> None:
    assert allowed("https://School.example", scheme="wss", host="school.example:443")
    assert allowed("https://school.example:443", scheme="wss")
    assert not allowed("https://school.example:8443", scheme="wss")


@pytest.mark.parametrize("origin", ["", "null", "https://", "http://", "ftp://school.example"])
def test_an_invalid_origin_is_refused(origin: str) -> None:
    assert not allowed(origin, scheme="ws")
    assert not allowed(origin, scheme="ws", host="")
