"""This machine's clock against the others': tokens, limits and second factors go by the time."""

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

NAME = "clock"
WARN_SECONDS = 2.0
# A second factor is good for half a minute.
FAIL_SECONDS = 30.0
SYNC = "Synchronise the clocks (chrony, systemd-timesyncd)."

Clock = Callable[[], float]


def check() -> Iterator[Finding]:
    """One finding for each clock that can be asked. Whoever is away is told by its own check."""
    for name, clock, exact in _others():
        began = time.time()
        try:
            theirs = clock()
        except (database.Away, redis.Away, UpstreamError, ValueError):
            continue
        # Their time was taken somewhere in between; a Date header is cut to the second.
        slack = (time.time() - began) / 2 + (0 if exact else 1)
        off = max(0.0, abs(theirs - (began + time.time()) / 2) - slack)
        yield from _judged(name, off)


def _judged(name: str, off: float) -> Iterator[Finding]:
    if off > FAIL_SECONDS:
        yield fail(NAME, f"{off:.0f} s apart from {name}.", SYNC)
    elif off > WARN_SECONDS:
        yield warn(NAME, f"{off:.1f} s apart from {name}.", SYNC)
    else:
        yield ok(NAME, f"the same as {name}'s.")


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
