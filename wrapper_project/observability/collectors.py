"""Metrics that are read when Prometheus asks: from the database, the store, the settings.

Everything in the database is the same on every server, so it is not in the files of the workers.
"""

from collections.abc import Iterator
from contextlib import suppress

from django.conf import settings
from django.db import DatabaseError, connection
from prometheus_client import CollectorRegistry
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, InfoMetricFamily, Metric
from prometheus_client.registry import Collector

from jobs.queue import read_queue_state
from schoolproxy.services.watch.budget import requests_left
from schoolproxy.services.watch.watches import count_watches
from social.services.cases.queue import count_open
from stats.totals import read_totals
from store import StoreUnavailable
from wrapper_project.replication import is_standby_expected, read_replication


def _version() -> Iterator[Metric]:
    yield InfoMetricFamily(
        "wrapper", "The version of the service.", value={"version": settings.VERSION}
    )


def _public_totals() -> Iterator[Metric]:
    """The totals of /api/stats (logins, messages, …), of all machines together."""
    facts = CounterMetricFamily("wrapper_facts", "The totals of /api/stats.", labels=["fact"])
    for name, value in read_totals().items():
        if isinstance(value, int):
            facts.add_metric([name], value)
    yield facts


def _cases() -> Iterator[Metric]:
    """The reports that wait for staff, of all machines together."""
    total, unopened = count_open()
    cases = GaugeMetricFamily(
        "wrapper_cases", "Cases that are open, and those nobody has opened.", labels=["state"]
    )
    cases.add_metric(["open"], total)
    cases.add_metric(["unopened"], unopened)
    yield cases


def _jobs() -> Iterator[Metric]:
    """The jobs of the workers, and how late they are, of all machines together."""
    state = read_queue_state()
    yield GaugeMetricFamily(
        "wrapper_jobs_lag_seconds", "Age of the oldest job that is due.", value=state.lag
    )
    jobs = GaugeMetricFamily(
        "wrapper_jobs", "Jobs in the queue; failed are those of a day.", labels=["state"]
    )
    for name in ("waiting", "later", "running", "failed"):
        jobs.add_metric([name], getattr(state, name))
    yield jobs


def _watch() -> Iterator[Metric]:
    """The looks at the school, of all machines together: `wrapper_facts` counts them."""
    with suppress(StoreUnavailable):
        yield GaugeMetricFamily(
            "wrapper_watch_requests_left",
            "Requests that looks may send to the school now.",
            value=requests_left(),
        )
    watches = GaugeMetricFamily("wrapper_watches", "Watches by status.", labels=["status"])
    for status, number in count_watches().items():
        watches.add_metric([status], number)
    yield watches


def _replication() -> Iterator[Metric]:
    """The standbys and the archive of PostgreSQL, where there should be some."""
    standbys = GaugeMetricFamily(
        "wrapper_database_standbys", "Standbys that have every acknowledged write."
    )
    failing = GaugeMetricFamily(
        "wrapper_database_archive_failing", "1 while WAL cannot be archived."
    )
    if connection.vendor == "postgresql":
        state = read_replication()
        if is_standby_expected():
            standbys.add_metric([], state.confirming)
        if state.archives:
            failing.add_metric([], state.is_archive_stuck)
    yield standbys
    yield failing


class _SharedMetrics(Collector):
    """All of the above. What an unavailable database would say is left out."""

    def collect(self) -> Iterator[Metric]:
        for read in (_version, _public_totals, _cases, _jobs, _watch, _replication):
            with suppress(DatabaseError):
                yield from list(read())


SHARED_REGISTRY = CollectorRegistry()
SHARED_REGISTRY.register(_SharedMetrics())
