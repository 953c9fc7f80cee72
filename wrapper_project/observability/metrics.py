"""Metrics for Prometheus. Imported only if METRICS is on, because the library costs memory.

No label contains a person, an address, a path value or a token; routes are labelled by their URL
name, schools by their slug. Workers share their metrics through files (`deploy/http.conf.py`).
"""

import logging
import os
import time
from collections.abc import Callable, Coroutine
from typing import Any

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
from prometheus_client.multiprocess import MultiProcessCollector
from prometheus_client.process_collector import ProcessCollector

from wrapper_project.middleware import KNOWN_METHODS, Middleware
from wrapper_project.observability.collectors import SHARED_REGISTRY
from wrapper_project.observability.log_config import is_ours

MULTIPROCESS = "PROMETHEUS_MULTIPROC_DIR"
SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10)

# Otherwise each counter has a second time series with its creation time.
disable_created_metrics()  # type: ignore[no-untyped-call]
REGISTRY = CollectorRegistry()
REQUESTS = Counter(
    "wrapper_http_requests", "HTTP responses.", ["route", "method", "status"], registry=REGISTRY
)
REQUEST_SECONDS = Histogram(
    "wrapper_http_request_seconds",
    "Seconds from the first middleware to the response.",
    ["route", "method"],
    buckets=SECONDS,
    registry=REGISTRY,
)
IN_PROGRESS = Gauge(
    "wrapper_http_requests_in_progress",
    "HTTP requests in progress.",
    multiprocess_mode="livesum",
    registry=REGISTRY,
)
UPSTREAM_CALLS = Counter(
    "wrapper_upstream_calls",
    "Calls to the school system; outcome is answered or the class of the error.",
    ["school", "outcome"],
    registry=REGISTRY,
)
UPSTREAM_SECONDS = Histogram(
    "wrapper_upstream_call_seconds",
    "Seconds of calls to the school system that were sent, including retries.",
    ["outcome"],
    buckets=SECONDS,
    registry=REGISTRY,
)
BREAKER_OPEN = Gauge(
    "wrapper_upstream_breaker_open",
    "1 while the circuit breaker of this school is open in some process.",
    ["school"],
    multiprocess_mode="livemax",
    registry=REGISTRY,
)
SOCKETS_OPEN = Gauge(
    "wrapper_sockets_open",
    "Open WebSocket connections.",
    multiprocess_mode="livesum",
    registry=REGISTRY,
)
SOCKETS_OPENED = Counter(
    "wrapper_sockets_opened", "WebSocket connections accepted since start.", registry=REGISTRY
)
LOG_LINES = Counter(
    "wrapper_log_lines",
    "Log lines at WARNING or above. Those of social.realtime.sender are dropped events.",
    ["logger", "level"],
    registry=REGISTRY,
)


class MetricsMiddleware(Middleware):
    """Outermost if METRICS is on: counts and times every response."""

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


def observe_upstream(
    *, school: str, outcome: str, seconds: float, circuit_open: bool, **_: Any
) -> None:
    """Receives `upstream.shared_client.call_ended`."""
    UPSTREAM_CALLS.labels(school, outcome).inc()
    if seconds:
        UPSTREAM_SECONDS.labels(outcome).observe(seconds)
    BREAKER_OPEN.labels(school).set(circuit_open)


Application = Callable[[Any, Any, Any], Coroutine[Any, Any, None]]


def count_sockets(application: Application) -> Application:
    """Wrap an ASGI application to count its accepted WebSocket connections."""

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
    def emit(self, record: logging.LogRecord) -> None:
        name = record.name if is_ours(record.name) else record.name.partition(".")[0]
        LOG_LINES.labels(name, record.levelname).inc()


def count_log_lines() -> None:
    """Add the LogCounter to the root logger, once."""
    root = logging.getLogger()
    if not any(isinstance(handler, LogCounter) for handler in root.handlers):
        root.addHandler(LogCounter(logging.WARNING))


def exposition() -> bytes:
    """The metrics of all workers of this server, in Prometheus' text format 0.0.4."""
    if MULTIPROCESS in os.environ:
        registry = CollectorRegistry()
        MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
    else:
        registry = REGISTRY
    return generate_latest(registry) + generate_latest(SHARED_REGISTRY)


if MULTIPROCESS not in os.environ:
    ProcessCollector(registry=REGISTRY)
