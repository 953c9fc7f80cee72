"""Every response has a request id, all headers and one line in the log."""

import logging
import re

import pytest
from django.test import Client

from accounts.addresses import shortened
from tests.wrapper_project import odd_urls
from wrapper_project.observability import log_config

KEPT = ["trace-12345678", "a" * 64, "A.b_c-123"]
REPLACED = ["", "short", "a" * 65, "with space 123", "line\nbreak12345", "åäöåäöåäö", "a;b=cdefgh"]


@pytest.mark.parametrize("given", KEPT)
def test_it_keeps_a_well_formed_request_id(given: str, client: Client) -> None:
    answer = client.get("/healthz", headers={"x-request-id": given})
    assert answer.headers["X-Request-ID"] == given


@pytest.mark.parametrize("given", REPLACED)
def test_it_replaces_a_malformed_request_id(given: str, client: Client) -> None:
    answer = client.get("/healthz", headers={"x-request-id": given})
    assert re.fullmatch(r"[0-9a-f]{32}", answer.headers["X-Request-ID"])


def test_the_request_id_is_reset_after_the_request(client: Client) -> None:
    client.get("/healthz")
    assert log_config.request_id.get() == ""


def test_responses_are_not_cached_by_default(client: Client) -> None:
    headers = client.get("/api/version").headers
    assert headers["Cache-Control"] == "no-store"
    assert {"cookie", "authorization"} <= set(headers["Vary"].lower().split(", "))


def test_a_public_response_does_not_vary_by_session(client: Client) -> None:
    headers = client.get("/api/schema").headers
    assert "public" in headers["Cache-Control"]
    assert "Cookie" not in headers["Vary"]


@pytest.mark.parametrize("path", ["/", "/healthz", "/api/version", "/api/nothing", "/nothing"])
def test_every_response_has_the_security_headers(path: str, client: Client) -> None:
    answer = client.get(path)
    headers = answer.headers
    assert headers["Content-Length"] == str(len(answer.content))
    assert "default-src 'none'" in headers["Content-Security-Policy"]
    assert "frame-ancestors 'none'" in headers["Content-Security-Policy"]
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Referrer-Policy"] == "no-referrer"
    assert headers["Cross-Origin-Opener-Policy"] == "same-origin"
    assert headers["Cross-Origin-Resource-Policy"] == "same-origin"
    assert headers["Permissions-Policy"]


def _line(caplog: pytest.LogCaptureFixture) -> dict[str, object]:
    records = [r for r in caplog.records if r.name == "wrapper_project.access"]
    assert len(records) == 1
    return log_config.facts(records[0])


def test_the_access_log_has_the_pattern_of_the_route(
    client: Client, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.INFO, "wrapper_project"):
        client.get("/api/version?token=secret", REMOTE_ADDR="203.0.113.77")
    line = _line(caplog)
    assert (line["method"], line["route"], line["status"]) == ("GET", "api/version", 200)
    assert line["network"] == "203.0.113.0"
    assert "secret" not in str(line)


def test_an_unknown_path_is_not_logged(client: Client, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG):
        client.generic("X" * 30, "/nowhere/secret-token.ics")
    line = _line(caplog)
    assert (line["status"], line["code"], line["method"]) == (404, "not_found", "OTHER")
    assert "secret" not in caplog.text
    assert "route" not in line


def test_the_access_log_has_the_class_of_an_error_but_not_its_text(
    odd: Client, caplog: pytest.LogCaptureFixture
) -> None:
    odd_urls.to_raise.append(ZeroDivisionError("secret"))
    with caplog.at_level(logging.INFO, "wrapper_project"):
        odd.get("/api/raising")
    assert _line(caplog)["error"] == "ZeroDivisionError"
    lines = [log_config.JsonFormatter().format(record) for record in caplog.records]
    assert not any("secret" in line for line in lines)
    assert any("odd_urls.py" in line for line in lines)


ADDRESSES = {
    "192.0.2.201": "192.0.2.0",
    "2001:db8:1:2:3::4": "2001:db8:1::",
    "::ffff:192.0.2.1": "192.0.2.0",
    "unix": "",
    "": "",
    "::zz": "",
}


@pytest.mark.parametrize(("address", "network"), ADDRESSES.items())
def test_an_address_is_shortened(address: str, network: str) -> None:
    assert shortened(address) == network
