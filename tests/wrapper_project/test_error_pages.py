"""Errors outside /api/ are pages for browsers, and JSON for other clients."""

import pytest
from django.test import Client

from tests.wrapper_project.test_errors import is_error_body

BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"


def test_a_browser_gets_a_page(client: Client) -> None:
    answer = client.get("/nothing", headers={"accept": BROWSER})
    assert answer.status_code == 404
    assert answer.headers["Content-Type"] == "text/html; charset=utf-8"
    assert answer.headers["Content-Length"] == str(len(answer.content))
    assert answer.headers["Vary"] == "Accept, Accept-Language"
    assert answer.headers["X-Robots-Tag"] == "noindex, nofollow"
    assert "style-src 'self'" in answer.headers["Content-Security-Policy"]
    assert "This does not exist, or you cannot see it." in answer.content.decode()
    assert answer.headers["X-Request-ID"]


@pytest.mark.parametrize("accept", ["", "*/*", "application/json", "image/webp,*/*"])
def test_a_program_gets_json(client: Client, accept: str) -> None:
    answer = client.get("/nothing", headers={"accept": accept})
    assert answer.status_code == 404
    assert is_error_body(answer.json())


@pytest.mark.parametrize("path", ["/api/nothing", "/api/session"])
def test_errors_below_api_are_always_json(client: Client, path: str) -> None:
    assert is_error_body(client.get(path, headers={"accept": BROWSER}).json())


def test_errors_of_unsafe_requests_are_json(client: Client) -> None:
    assert is_error_body(client.post("/nothing", headers={"accept": BROWSER}).json())


def test_an_unsupported_method_is_405_with_allow(client: Client) -> None:
    answer = client.generic("DELETE", "/", headers={"accept": BROWSER})
    assert (answer.status_code, answer.headers["Allow"]) == (405, "GET, HEAD, OPTIONS")
    assert is_error_body(answer.json())
