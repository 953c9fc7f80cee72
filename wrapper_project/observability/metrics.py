"""What Prometheus may know. Imported only where METRICS is on: otherwise nothing of this is there.

No label holds a person, an address, a value of a path or a token: a route is its name, a school
its slug. Several workers share their numbers through files (`processes.create_metrics_directory`).
"""

import logging
import os
import time
from collections.abc import Callable, Coroutine, Iterator
from typing import Any

from django.conf import settings
from django.db import DatabaseError
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    disable_created_metrics,
    generate_latest,
)
from prometheus_client.core import CounterMetricFamily, InfoMetricFamily, Metric
from prometheus_client.multiprocess import MultiProcessCollector
from prometheus_client.process_collector import ProcessCollector
from prometheus_client.registry import Collector

from stats.totals import cached_totals
from wrapper_project.middleware import KNOWN_METHODS, GetResponse
from wrapper_project.observability.log_config import is_ours

FILES = "PROMETHEUS_MULTIPROC_DIR"
SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10)
# Slugs are checked before anything is sent, but a list of schools can be long.
MAX_SCHOOLS = 200

# A second series for each counter, which nobody asks for.
disable_created_metrics()  # type: ignore[no-untyped-call]
REGISTRY = CollectorRegistry()
REQUESTS = Counter(
    "wrapper_http_requests",
    "Answers, by the route's name.",
    ["route", "method", "status"],
    registry=REGISTRY,
)
REQUEST_SECONDS = Histogram(
    "wrapper_http_request_seconds",
    "From the first middleware to the answer.",
    ["route", "method"],
    buckets=SECONDS,
    registry=REGISTRY,
)
IN_PROGRESS = Gauge(
    "wrapper_http_requests_in_progress",
    "Threads at work.",
    multiprocess_mode="livesum",
    registry=REGISTRY,
)
UPSTREAM_CALLS = Counter(
    "wrapper_upstream_calls",
    "Calls to the school system: answered, or the class of what went wrong.",
    ["school", "outcome"],
    registry=REGISTRY,
)
UPSTREAM_SECONDS = Histogram(
    "wrapper_upstream_call_seconds",
    "How long those that were sent took, a retry included.",
    ["outcome"],
    buckets=SECONDS,
    registry=REGISTRY,
)
BREAKER_OPEN = Gauge(
    "wrapper_upstream_breaker_open",
    "1 while some process has stopped asking this school, as of its last call.",
    ["school"],
    multiprocess_mode="livemax",
    registry=REGISTRY,
)
SOCKETS_OPEN = Gauge(
    "wrapper_sockets_open", "Open sockets.", multiprocess_mode="livesum", registry=REGISTRY
)
SOCKETS_OPENED = Counter(
    "wrapper_sockets_opened", "Sockets that were ever accepted.", registry=REGISTRY
)
LOG_LINES = Counter(
    "wrapper_log_lines",
    "Log lines from WARNING on; events that were dropped are those of social.realtime.sender.",
    ["logger", "level"],
    registry=REGISTRY,
)

_schools: set[str] = set()


class MetricsMiddleware:
    """Outermost where METRICS is on: counts every answer and how long it took."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        began = time.perf_counter()
        with IN_PROGRESS.track_inprogress():
            response = self.get_response(request)
        match = request.resolver_match
        route = match.view_name if match else "none"
        method = request.method if request.method in KNOWN_METHODS else "OTHER"
        REQUESTS.labels(route, method, str(response.status_code)).inc()
        REQUEST_SECONDS.labels(route, method).observe(time.perf_counter() - began)
        return response


def observe_upstream(*, school: str, outcome: str, seconds: float, circuit_open: bool) -> None:
    """The observer of the calls to the school system (`upstream/observed_client.py`)."""
    if school not in _schools and len(_schools) >= MAX_SCHOOLS:
        school = "others"
    _schools.add(school)
    UPSTREAM_CALLS.labels(school, outcome).inc()
    if seconds:
        UPSTREAM_SECONDS.labels(outcome).observe(seconds)
    BREAKER_OPEN.labels(school).set(circuit_open)


Application = Callable[[Any, Any, Any], Coroutine[Any, Any, None]]


def count_sockets(application: Application) -> Application:
    """The ASGI application of sockets, each counted from its acceptance to its end."""

    async def counted(scope: Any, receive: Any, send: Any) -> None:
        accepted = False

        async def watched(message: Any) -> None:
            nonlocal accepted
            if message["type"] == "websocket.accept" and not accepted:
                accepted = True
                SOCKETS_OPEN.inc()
                SOCKETS_OPENED.inc()
            await send(message)

        try:
            await application(scope, receive, watched)
        finally:
            if accepted:
                SOCKETS_OPEN.dec()

    return counted


class LogCounter(logging.Handler):
    """Counts lines, and reads none of them."""

    def emit(self, record: logging.LogRecord) -> None:
        name = record.name if is_ours(record.name) else record.name.partition(".")[0]
        LOG_LINES.labels(name, record.levelname).inc()


def count_log_lines() -> None:
    """Once, when the apps are ready."""
    root = logging.getLogger()
    if not any(isinstance(handler, LogCounter) for handler in root.handlers):
        root.addHandler(LogCounter(logging.WARNING))


class _Facts(Collector):
    """The public totals of /api/stats (logins, messages, …): of all machines together."""

    def collect(self) -> Iterator[Metric]:
        yield InfoMetricFamily("wrapper", "The version.", value={"version": settings.VERSION})
        facts = CounterMetricFamily("wrapper_facts", "Totals of /api/stats.", labels=["fact"])
        try:
            totals = cached_totals()
        except DatabaseError:
            return
        for name, value in totals.items():
            if isinstance(value, int):
                facts.add_metric([name], value)
        yield facts


_WHOLE = CollectorRegistry()
_WHOLE.register(_Facts())


def exposition() -> bytes:
    """Everything, in Prometheus' text format 0.0.4; of all workers of this server."""
    if FILES in os.environ:
        registry = CollectorRegistry()
        MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
    else:
        registry = REGISTRY
    return generate_latest(registry) + generate_latest(_WHOLE)


if FILES not in os.environ:
    ProcessCollector(registry=REGISTRY)
