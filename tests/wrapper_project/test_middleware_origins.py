"""Unsafe requests on behalf of other websites are refused."""

from typing import Any

import pytest
from django.test import Client
from pytest_django.fixtures import Settings

LISTED = "https://app.example"
CORS = "corsheaders.middleware.CorsMiddleware"

# headers -> whether the request passes
CASES: dict[str, tuple[dict[str, str], bool]] = {
    "not a browser": ({}, True),
    "a listed site": ({"origin": LISTED, "sec-fetch-site": "cross-site"}, True),
    "a listed site in capitals, with its port": ({"origin": "HTTPS://APP.example:443"}, True),
    "our own page": ({"sec-fetch-site": "same-origin", "origin": "http://testserver"}, True),
    "typed by a person": ({"sec-fetch-site": "none"}, True),
    "our own origin, an old browser": ({"origin": "http://testserver"}, True),
    "our own origin with its port": ({"origin": "http://testserver:80"}, True),
    "our public address": ({"origin": "https://school.example"}, True),
    "another site": ({"origin": "https://evil.example", "sec-fetch-site": "cross-site"}, False),
    "another site, an old browser": ({"origin": "https://evil.example"}, False),
    "another site that hides its origin": ({"sec-fetch-site": "cross-site"}, False),
    "a sister site": ({"sec-fetch-site": "same-site"}, False),
    "a sandbox": ({"origin": "null"}, False),
    "a sandbox, seen by the browser": ({"origin": "null", "sec-fetch-site": "cross-site"}, False),
    "an empty origin": ({"origin": ""}, False),
    "our host by another scheme": ({"origin": "https://testserver"}, False),
    "our host on another port": ({"origin": "http://testserver:8080"}, False),
    "our name as a prefix": ({"origin": "http://testserver.evil.example"}, False),
    "our name in a path": ({"origin": "http://evil.example/testserver"}, False),
    "two origins": ({"origin": f"{LISTED}, https://evil.example"}, False),
    "a word that no browser sends": ({"sec-fetch-site": "whatever"}, False),
    "another site with an empty token": (
        {"origin": "https://evil.example", "authorization": ""},
        False,
    ),
    "another site with the password of a test site": (
        {"origin": "https://evil.example", "authorization": "Basic ZWxzYTplbHNh"},
        False,
    ),
    "a token of its own": ({"origin": "https://evil.example", "authorization": "Bearer x"}, True),
}


@pytest.fixture
def sender(settings: Settings, odd: Client) -> Client:
    settings.CORS_ALLOWED_ORIGINS = [LISTED]
    # The settings leave the middleware out if no site is listed.
    if CORS not in settings.MIDDLEWARE:
        index = settings.MIDDLEWARE.index("wrapper_project.middleware.OriginCheckMiddleware")
        settings.MIDDLEWARE = [
            *settings.MIDDLEWARE[:index],
            CORS,
            *settings.MIDDLEWARE[index:],
        ]
    settings.PUBLIC_URL = "https://school.example"
    return odd


@pytest.mark.parametrize(("headers", "passes"), CASES.values(), ids=CASES)
def test_an_unsafe_request(headers: dict[str, str], passes: bool, sender: Client) -> None:
    for method in ("POST", "PUT", "PATCH", "DELETE", "MADE-UP"):
        answer = sender.generic(method, "/api/echo", b"{}", headers=headers)
        refused = answer.status_code == 403 and answer.json()["code"] == "cross_origin"
        assert refused is not passes, method


def test_a_safe_request_always_passes(sender: Client) -> None:
    for headers, _ in CASES.values():
        for method in ("GET", "HEAD", "OPTIONS"):
            answer = sender.generic(method, "/api/who", headers=headers)
            assert answer.status_code in {200, 204}, (method, headers)


def test_the_origin_is_checked_before_everything_else(sender: Client) -> None:
    for path in ("/api/nothing", "/api/version", "/api/login", "/nothing"):
        answer = sender.post(path, headers={"origin": "https://evil.example"})
        assert (answer.status_code, answer.json()["code"]) == (403, "cross_origin"), path


def test_configured_origins_are_normalised(sender: Client, settings: Settings) -> None:
    settings.CORS_ALLOWED_ORIGINS = ["https://App.example:443"]
    settings.PUBLIC_URL = ""
    for origin, status in {LISTED: 200, "": 403}.items():
        answer = sender.generic("POST", "/api/echo", b"{}", headers={"origin": origin})
        assert answer.status_code == status


def test_only_a_listed_site_may_read_the_response(sender: Client) -> None:
    def ask(origin: str) -> Any:
        return sender.get("/api/who", headers={"origin": origin}).headers

    assert ask(LISTED)["Access-Control-Allow-Origin"] == LISTED
    assert ask(LISTED)["Access-Control-Allow-Credentials"] == "true"
    assert "Access-Control-Allow-Origin" not in ask("https://evil.example")
    assert "Access-Control-Allow-Origin" not in ask("null")
