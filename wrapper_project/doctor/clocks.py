"""Compares this machine's clock with the others: tokens, limits and second factors need it."""

import time
from collections.abc import Callable, Iterator
from email.utils import parsedate_to_datetime

from django.conf import settings
from django.db import connection

from upstream import shared_client
from upstream.endpoints import SCHOOL_LIST
from upstream.errors import UpstreamError
from upstream.transport import HEADERS, Request
from wrapper_project.doctor import database, redis
from wrapper_project.doctor.findings import Finding, fail, ok, warn

WARN_SECONDS = 2.0
# The code of a second factor is valid for half a minute.
FAIL_SECONDS = 30.0
SYNC = "Synchronise the clocks (chrony, systemd-timesyncd)."

Clock = Callable[[], float]


def check() -> Iterator[Finding]:
    """One finding for each reachable clock. Others are reported by their own check."""
    for name, clock, exact in _others():
        began = time.time()
        try:
            theirs = clock()
        except (database.Unavailable, redis.Unavailable, UpstreamError, ValueError):
            continue
        # Their time was read at some point in between; a Date header has whole seconds.
        tolerance = (time.time() - began) / 2 + (0 if exact else 1)
        off = max(0.0, abs(theirs - (began + time.time()) / 2) - tolerance)
        yield _judged(name, off)


def _judged(name: str, off: float) -> Finding:
    if off > FAIL_SECONDS:
        return fail(f"{off:.0f} s different from {name}.", SYNC)
    if off > WARN_SECONDS:
        return warn(f"{off:.1f} s different from {name}.", SYNC)
    return ok(f"the same time as {name}.")


def _others() -> Iterator[tuple[str, Clock, bool]]:
    if connection.vendor == "postgresql":
        yield "the database", _of_database, True
    if settings.REDIS_URL:
        yield "Redis", _of_redis, True
    yield "the school system", _of_school_system, False


def _of_database() -> float:
    with database.own_connection() as own:
        return float(database.ask(own, "SELECT extract(epoch FROM clock_timestamp())"))


def _of_redis() -> float:
    with redis.own_client() as client:
        seconds, micros = client.time()
        return float(seconds) + float(micros) / 1_000_000


def _of_school_system() -> float:
    client = shared_client.client()
    answer = client.send(Request("GET", client.url(None, SCHOOL_LIST), dict(HEADERS)), school=None)
    return parsedate_to_datetime(answer.header("Date")).timestamp()
