"""Every error has the same body, on every route."""

from typing import Any

import pytest
from django.test import Client
from pytest_django.fixtures import Settings

from tests.contract.routes import every_route
from tests.wrapper_project.test_errors import is_error_body
from wrapper_project.middleware import PROBED_PATHS

ROUTES = every_route()
METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE", "TRACE", "MADE-UP"]
# The staff site and the web app have addresses with a slash.
WITH_A_SLASH = {"/admin", "/app", "/app/", "/app/nobody/nothing"}


def is_error(answer: Any, status: int, code: str) -> bool:
    return (answer.status_code, answer.json()["code"]) == (status, code) and is_error_body(
        answer.json()
    )


def test_every_route_has_its_own_name() -> None:
    names = [route.name for route in ROUTES]
    assert all(names)
    assert len(names) == len(set(names))


def test_an_unsupported_method_is_405_with_allow(client: Client) -> None:
    for route in ROUTES:
        refused = [method for method in METHODS if method not in route.methods]
        assert refused, route
        for method in refused:
            answer = client.generic(method, route.path)
            assert is_error(answer, 405, "method_not_allowed"), (method, route)
            assert answer.headers["Allow"] == ", ".join(sorted(route.methods)), (method, route)


def test_a_trailing_slash_is_404_and_never_a_redirect(client: Client) -> None:
    for route in ROUTES:
        if route.path not in WITH_A_SLASH:
            for path in {f"{route.path}/", f"{route.path}//"} - {"//", "///"}:
                assert is_error(client.get(path), 404, "not_found"), path


def test_a_cross_site_request_is_403_before_all_else(client: Client) -> None:
    headers = {"origin": "https://evil.example"}
    for route in ROUTES:
        for method in ("POST", "PUT", "PATCH", "DELETE"):
            answer = client.generic(method, route.path, headers=headers)
            assert is_error(answer, 403, "cross_origin"), (method, route)


def test_options_is_answered_without_a_session(client: Client) -> None:
    for route in ROUTES:
        answer = client.options(route.path)
        assert (answer.status_code, answer.content) == (204, b""), route
        assert answer.headers["Allow"] == ", ".join(sorted(route.methods)), route


def test_an_unknown_host_is_400(client: Client) -> None:
    for route in ROUTES:
        if route.path not in PROBED_PATHS:
            for method in sorted(route.methods - {"HEAD"}):
                answer = client.generic(method, route.path, headers={"host": "evil.example"})
                assert is_error(answer, 400, "bad_request"), (method, route)


@pytest.mark.parametrize(
    "path",
    ["/api", "/api/", "/api/nothing", "/nothing", "/API/version", "/api/%00", "/api/%ff",
     "/api/../healthz", "/static/nothing.js", "/static/../settings.py", "/åäö"],
)  # fmt: skip
@pytest.mark.parametrize("method", ["GET", "POST", "DELETE"])
@pytest.mark.parametrize("debug", [False, True], ids=["deployed", "debug"])
def test_an_unknown_address_is_404(
    path: str, method: str, debug: bool, client: Client, settings: Settings
) -> None:
    settings.DEBUG = debug
    answer = client.generic(method, path)
    assert is_error(answer, 404, "not_found")
    assert answer.headers["X-Request-ID"]
