"""Every error has the same body, on every route."""

import pytest
from django.test import Client
from pytest_django.fixtures import Settings

from tests.contract.routes import Route, every_route
from tests.wrapper_project.test_errors import is_error_body
from wrapper_project.middleware import PROBED_PATHS

ROUTES = every_route()
METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE", "TRACE", "MADE-UP"]


def routes_but(*paths: str) -> pytest.MarkDecorator:
    """A test of every route, except those with these paths."""
    routes = [route for route in ROUTES if route.path not in paths]
    return pytest.mark.parametrize("route", routes, ids=[route.name for route in routes])


each_route = routes_but()


def test_every_route_has_its_own_name() -> None:
    names = [route.name for route in ROUTES]
    assert all(names)
    assert len(names) == len(set(names))


@each_route
def test_an_unsupported_method_is_405_with_allow(route: Route, client: Client) -> None:
    refused = [method for method in METHODS if method not in route.methods]
    assert refused
    for method in refused:
        answer = client.generic(method, route.path)
        assert (answer.status_code, answer.json()["code"]) == (405, "method_not_allowed")
        assert answer.headers["Allow"] == ", ".join(sorted(route.methods))
        assert is_error_body(answer.json())


# The staff site and the web app have addresses with a slash.
@routes_but("/admin", "/app", "/app/", "/app/nobody/nothing")
def test_a_trailing_slash_is_404_and_never_a_redirect(route: Route, client: Client) -> None:
    for path in {f"{route.path}/", f"{route.path}//"} - {"//", "///"}:
        answer = client.get(path)
        assert (answer.status_code, answer.json()["code"]) == (404, "not_found"), path
        assert is_error_body(answer.json())


@each_route
def test_a_cross_site_request_is_403_before_all_else(route: Route, client: Client) -> None:
    for method in ("POST", "PUT", "PATCH", "DELETE"):
        answer = client.generic(method, route.path, headers={"origin": "https://evil.example"})
        assert (answer.status_code, answer.json()["code"]) == (403, "cross_origin")
        assert is_error_body(answer.json())


@each_route
def test_options_is_answered_without_a_session(route: Route, client: Client) -> None:
    answer = client.options(route.path)
    assert (answer.status_code, answer.content) == (204, b"")
    assert answer.headers["Allow"] == ", ".join(sorted(route.methods))


@routes_but(*PROBED_PATHS)
def test_an_unknown_host_is_400(route: Route, client: Client) -> None:
    for method in sorted(route.methods - {"HEAD"}):
        answer = client.generic(method, route.path, headers={"host": "evil.example"})
        assert (answer.status_code, answer.json()["code"]) == (400, "bad_request")
        assert is_error_body(answer.json())


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
    assert (answer.status_code, answer.json()["code"]) == (404, "not_found")
    assert is_error_body(answer.json())
    assert answer.headers["X-Request-ID"]
