"""Error reports: a real SDK, a real connection, and secrets that must not be sent."""

import json
import logging
import threading
from collections.abc import Iterator
from typing import Any

import pytest
import sentry_sdk
from django.test import Client

from tests.wrapper_project import odd_urls, sentry_server
from tests.wrapper_project.sentry_server import SentryServer
from wrapper_project.observability import log_config, sentry

CANARIES = (
    *("canary-token", "canary-password", "canary-cookie", "canary-message", "canary-query"),
    *("canary-row", "canary-argument", "canary-path", "canary-agent", "canary-thread"),
)
logger = logging.getLogger("wrapper_project.test")


@pytest.fixture
def inbox() -> Iterator[SentryServer]:
    """A server for reports; afterwards no reports are sent."""
    before = sentry_sdk.get_global_scope().client
    hook = threading.excepthook
    with sentry_server.running() as server:
        sentry.start(server.dsn, release="1.2.3")
        try:
            yield server
        finally:
            sentry_sdk.get_client().close(timeout=5)
            sentry_sdk.get_global_scope().set_client(before)
            threading.excepthook = hook


def reports(inbox: SentryServer) -> list[dict[str, Any]]:
    """Every event sent so far."""
    sentry_sdk.flush(timeout=20)
    envelopes = [inbox.envelopes.get() for _ in range(inbox.envelopes.qsize())]
    parts = [json.loads(line) for envelope in envelopes for line in envelope.split(b"\n") if line]
    return [part for part in parts if "platform" in part]


def everything(inbox: SentryServer) -> str:
    """All bytes sent."""
    sentry_sdk.flush(timeout=20)
    taken = [envelope.decode() for envelope in inbox.envelopes.queue]
    return "\n".join([*taken, *inbox.request_heads.queue])


def fail_with_secrets() -> None:
    token = "canary-token"
    raise ValueError(f"duplicate key: Key (username)=(canary-row) {len(token)}")


def test_an_unexpected_error_is_reported_without_data(odd: Client, inbox: SentryServer) -> None:
    odd_urls.to_raise.append(RuntimeError("canary-message canary-row"))
    answer = odd.post(
        "/api/raising?secret=canary-query",
        {"password": "canary-password", "content": "canary-message"},
        content_type="application/json",
        headers={
            "authorization": "Bearer canary-token",
            "cookie": "wrapper_jsessionid=canary-cookie",
            "user-agent": "canary-agent",
            "x-request-id": "request-1234",
        },
    )
    assert answer.status_code == 500
    text = everything(inbox)
    assert [canary for canary in CANARIES if canary in text] == []
    (report,) = reports(inbox)
    (value,) = report["exception"]["values"]
    assert value["type"] == "RuntimeError"
    assert any(frame["function"] for frame in value["stacktrace"]["frames"])
    assert report["logentry"]["message"] == "unexpected error"
    assert report["tags"]["request_id"] == "request-1234"
    assert report["release"] == "1.2.3"


def test_only_the_text_of_our_own_exceptions_is_sent(inbox: SentryServer) -> None:
    try:
        try:
            fail_with_secrets()
        except ValueError as error:
            raise log_config_error("ours, and safe") from error
    except Exception:
        logger.exception("it failed for %s", 7, extra={"account": "canary-row"})
    logging.getLogger("urllib3.somewhere").error("GET %s", "https://x/canary-path?canary-query")
    logging.getLogger("django.db").error("canary-message without arguments")
    text = everything(inbox)
    assert [canary for canary in CANARIES if canary in text] == []
    first, second, third = reports(inbox)
    inner, outer = first["exception"]["values"]
    assert (inner["type"], inner["value"]) == ("ValueError", "")
    assert (outer["value"], first["logentry"]["message"]) == ("ours, and safe", "it failed for 7")
    assert second["logentry"]["message"] == "GET %s"
    assert third["logentry"]["message"] == "django.db"


def log_config_error(text: str) -> Exception:
    """An exception with a class of ours."""
    kind = type("Ours", (Exception,), {"__module__": log_config.__name__})
    error: Exception = kind(text)
    return error


def test_only_error_reports_are_sent(inbox: SentryServer) -> None:
    logger.warning("canary-message")
    sentry_sdk.add_breadcrumb(message="canary-message")
    sentry_sdk.set_user({"username": "canary-row"})
    sentry_sdk.set_extra("token", "canary-token")
    logger.error("one")
    text = everything(inbox)
    sentry_sdk.set_user(None)
    assert [canary for canary in CANARIES if canary in text] == []
    (report,) = reports(inbox)
    allowed = {*sentry.KEPT, "logentry", "tags", "exception", "message"}
    assert set(report) <= allowed
    assert not report.get("server_name")


def test_without_a_dsn_nothing_is_started() -> None:
    assert not sentry_sdk.get_client().is_active()
