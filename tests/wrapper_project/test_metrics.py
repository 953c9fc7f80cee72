"""`/metrics`: who may read it, and that it contains no personal data."""

import asyncio
import logging
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone
from django_tasks_db.models import DBTaskResult
from prometheus_client.parser import text_string_to_metric_families
from pytest_django.fixtures import Settings

from social.models import Case
from social.services.cases.actions import mark_opened
from tests.conftest import Caller, signed_in
from tests.jobs import worker_jobs
from tests.social_actions import report
from upstream.shared_client import call_ended
from upstream.simulator.server import Simulator

FROM = {"allowed": "10.1.2.3", "stranger": "198.51.100.7", "proxy": "192.0.2.1"}


@pytest.fixture
def on(settings: Settings) -> Iterator[Settings]:
    """The settings with METRICS=on."""
    from wrapper_project.observability import metrics  # not at the top: must not be imported if off

    settings.METRICS = True
    settings.METRICS_ALLOWED = ["10.0.0.0/8"]
    settings.TRUSTED_PROXIES = [FROM["proxy"]]
    call_ended.connect(metrics.observe_upstream)
    settings.MIDDLEWARE = [
        "wrapper_project.observability.metrics.MetricsMiddleware",
        *settings.MIDDLEWARE,
    ]
    yield settings
    call_ended.disconnect(metrics.observe_upstream)
    for each in (metrics.REQUESTS, metrics.UPSTREAM_CALLS, metrics.BREAKER_OPEN):
        each.clear()


def scrape() -> Any:
    return Client().get("/metrics", REMOTE_ADDR=FROM["allowed"])


def samples() -> dict[tuple[str, frozenset[tuple[str, str]]], float]:
    """(name, labels) -> value."""
    answer = scrape()
    assert answer.status_code == 200
    return {
        (sample.name, frozenset(sample.labels.items())): sample.value
        for family in text_string_to_metric_families(answer.text)
        for sample in family.samples
    }


def value(name: str, **labels: str) -> float:
    return samples().get((name, frozenset(labels.items())), 0.0)


def test_metrics_are_404_if_off(client: Client, settings: Settings) -> None:
    settings.METRICS_ALLOWED = ["0.0.0.0/0"]
    answer, nothing = client.get("/metrics"), client.get("/nothing-here")
    assert answer.status_code == 404
    assert answer.content == nothing.content


def test_metrics_are_not_imported_if_off(settings: Settings) -> None:
    assert not settings.METRICS
    assert not call_ended.receivers
    assert not [name for name in settings.MIDDLEWARE if "metrics" in name]


@pytest.mark.parametrize(
    ("peer", "forwarded", "status"),
    [
        ("allowed", "", 200),
        ("stranger", "", 404),
        ("proxy", "", 404),
        ("proxy", "10.1.2.3", 200),
        ("proxy", "198.51.100.7", 404),
        ("proxy", "10.1.2.3, 198.51.100.7", 404),
        ("stranger", "10.1.2.3", 404),
        # An allowed machine that forwards a request but is not a trusted proxy.
        ("allowed", "198.51.100.7", 404),
    ],
)
@pytest.mark.django_db
def test_only_allowed_networks_can_read_metrics(
    peer: str, forwarded: str, status: int, on: Settings
) -> None:
    headers = {"x-forwarded-for": forwarded} if forwarded else {}
    answer = Client().get("/metrics", REMOTE_ADDR=FROM[peer], headers=headers)
    assert answer.status_code == status


def test_an_address_of_the_other_ip_version_is_refused(on: Settings, db: None) -> None:
    assert Client().get("/metrics", REMOTE_ADDR="2001:db8::1").status_code == 404
    assert Client().get("/metrics", REMOTE_ADDR="::ffff:10.1.2.3").status_code == 200
    assert Client().get("/metrics", REMOTE_ADDR="").status_code == 404


def test_requests_are_counted_by_route_and_status(on: Settings, caller: Caller) -> None:
    caller.get("/api/version")
    caller.get("/api/sessions/canary-in-a-path?canary=query")
    caller.get("/canary/nowhere")
    caller.http.generic("CANARY", "/healthz")
    answers = "wrapper_http_requests_total"
    assert value(answers, route="version", method="GET", status="200") == 1
    assert value(answers, route="sessions-entry", method="GET", status="405") == 1
    assert value(answers, route="not-found", method="GET", status="404") == 1
    assert value(answers, route="healthz", method="OTHER", status="405") == 1
    assert "canary" not in scrape().text.lower()


def test_no_label_contains_a_person(on: Settings, caller: Caller) -> None:
    elsa = caller
    elsa.sign_in()
    assert elsa.get("/api/schedule").status_code == 200
    text = scrape().text
    calls = "wrapper_upstream_calls_total"
    assert value(calls, school="bjorkdalen", outcome="answered") >= 4
    assert value("wrapper_upstream_breaker_open", school="bjorkdalen") == 0
    for secret in ("elsa", "nordvall", *(cookie for cookie in elsa.cookies.values() if cookie)):
        if secret != "bjorkdalen":
            assert f'="{secret}"' not in text


def test_upstream_failures_are_labelled_by_class(
    on: Settings, elsa: Caller, bo: Caller, simulator: Simulator
) -> None:
    pupils = [elsa, bo, signed_in("alva.lind")]
    simulator.faults.set("lessons", "500")
    for pupil in [*pupils, elsa]:
        pupil.get("/api/schedule")
    calls = "wrapper_upstream_calls_total"
    assert value(calls, school="bjorkdalen", outcome="UpstreamFailing") >= 3
    assert value(calls, school="bjorkdalen", outcome="CircuitOpen") >= 1
    assert value("wrapper_upstream_breaker_open", school="bjorkdalen") == 1


def test_warnings_are_counted(on: Settings, db: None) -> None:
    from wrapper_project.observability import metrics

    handler = metrics.LogCounter(logging.WARNING)
    logger = logging.getLogger("social.realtime.sender")
    logger.addHandler(handler)
    before = value("wrapper_log_lines_total", logger="social.realtime.sender", level="WARNING")
    try:
        logger.warning("events dropped: %s", "canary")
    finally:
        logger.removeHandler(handler)
    lines = "wrapper_log_lines_total"
    assert value(lines, logger="social.realtime.sender", level="WARNING") == before + 1
    assert "canary" not in scrape().text


def test_open_sockets_are_counted_until_they_end(on: Settings, db: None) -> None:
    from wrapper_project.observability import metrics

    seen: list[float] = []

    async def socket(scope: Any, receive: Any, send: Any) -> None:
        await send({"type": "websocket.accept"})
        seen.append(metrics.SOCKETS_OPEN._value.get())
        raise OSError("the client is gone")

    async def nothing(message: Any) -> None:
        del message

    before = value("wrapper_sockets_open")
    with pytest.raises(OSError, match="gone"):
        asyncio.run(metrics.count_sockets(socket)({}, nothing, nothing))
    assert seen == [before + 1]
    assert value("wrapper_sockets_open") == before
    assert value("wrapper_sockets_opened_total") >= 1


def test_it_has_the_public_totals_and_the_version(on: Settings, db: None) -> None:
    names = {name for name, _ in samples()}
    assert {"wrapper_facts_total", "wrapper_info"} <= names


def test_a_refused_socket_is_not_counted(on: Settings) -> None:
    from wrapper_project.observability import metrics

    async def refusing(scope: Any, receive: Any, send: Any) -> None:
        await send({"type": "websocket.close"})

    async def nothing(message: Any) -> None:
        del message

    before = metrics.SOCKETS_OPENED._value.get()
    asyncio.run(metrics.count_sockets(refusing)({}, nothing, nothing))
    assert metrics.SOCKETS_OPENED._value.get() == before


@pytest.mark.django_db
def test_jobs_are_counted(on: Settings) -> None:
    assert value("wrapper_jobs_lag_seconds") == 0
    now = timezone.now()
    worker_jobs.note.enqueue("x", "y")
    DBTaskResult.objects.update(enqueued_at=now - timedelta(minutes=2))
    assert value("wrapper_jobs_lag_seconds") >= 120
    assert value("wrapper_jobs", state="waiting") == 1
    assert value("wrapper_jobs", state="running") == 0


def test_cases_that_wait_are_counted(on: Settings, caller: Caller) -> None:
    assert value("wrapper_cases", state="open") == 0
    caller.sign_in()
    report(caller, "profile", "elsa.nordvall")
    assert value("wrapper_cases", state="open") == 1
    assert value("wrapper_cases", state="unopened") == 1
    mark_opened(Case.objects.get().pk)
    assert value("wrapper_cases", state="open") == 1
    assert value("wrapper_cases", state="unopened") == 0
