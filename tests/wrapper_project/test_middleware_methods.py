"""405 with `Allow`, before authentication."""

import pytest
from django.test import Client


@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH", "DELETE", "TRACE", "MADE-UP"])
def test_an_unsupported_method_is_405(method: str, client: Client) -> None:
    answer = client.generic(method, "/api/version")
    assert (answer.status_code, answer.json()["code"]) == (405, "method_not_allowed")
    assert answer.headers["Allow"] == "GET, HEAD, OPTIONS"


def test_it_comes_before_401(client: Client) -> None:
    answer = client.delete("/api/session")
    assert (answer.status_code, answer.headers["Allow"]) == (405, "GET, HEAD, OPTIONS")


def test_options_lists_the_methods_of_the_route(client: Client) -> None:
    answer = client.options("/api/login")
    assert (answer.status_code, answer.content) == (204, b"")
    assert answer.headers["Allow"] == "OPTIONS, POST"


def test_head_is_get_without_a_body(client: Client) -> None:
    answer = client.head("/api/version")
    assert (answer.status_code, answer.content) == (200, b"")
    assert answer.headers["Content-Length"] == client.get("/api/version").headers["Content-Length"]


@pytest.mark.parametrize("path", ["/api/version/", "/healthz/", "/api/", "/api//version"])
def test_a_trailing_slash_is_404_and_never_a_redirect(path: str, client: Client) -> None:
    assert client.get(path).status_code == 404
    assert client.post(path).status_code == 404
