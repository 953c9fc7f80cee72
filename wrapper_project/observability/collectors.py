"""Metrics that are read when Prometheus asks: from the database, the store, the settings.

Everything in the database is the same on every server, so it is not in the files of the workers.
"""

from collections.abc import Iterator

from django.conf import settings
from django.db import DatabaseError
from prometheus_client import CollectorRegistry
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, InfoMetricFamily, Metric
from prometheus_client.registry import Collector

from accounts.jobs.measures import read_queue_state
from accounts.stores import LocalStore, store
from schoolproxy.services.watch.budget import requests_left
from schoolproxy.services.watch.opting import count_watches
from social.services.cases.read import count_open
from stats.totals import read_totals


class _PublicTotals(Collector):
    """The totals of /api/stats (logins, messages, …), of all machines together."""

    def collect(self) -> Iterator[Metric]:
        yield InfoMetricFamily(
            "wrapper", "The version of the service.", value={"version": settings.VERSION}
        )
        facts = CounterMetricFamily("wrapper_facts", "The totals of /api/stats.", labels=["fact"])
        try:
            totals = read_totals()
        except DatabaseError:
            return
        for name, value in totals.items():
            if isinstance(value, int):
                facts.add_metric([name], value)
        yield facts


class _Cases(Collector):
    """The reports that wait for staff, of all machines together."""

    def collect(self) -> Iterator[Metric]:
        cases = GaugeMetricFamily(
            "wrapper_cases", "Cases that are open, and those nobody has opened.", labels=["state"]
        )
        try:
            total, unopened = count_open()
        except DatabaseError:
            return
        cases.add_metric(["open"], total)
        cases.add_metric(["unopened"], unopened)
        yield cases


class _Jobs(Collector):
    """The jobs of the workers, and how late they are, of all machines together."""

    def collect(self) -> Iterator[Metric]:
        try:
            state = read_queue_state()
        except DatabaseError:
            return
        yield GaugeMetricFamily(
            "wrapper_jobs_lag_seconds", "Age of the oldest job that is due.", value=state.lag
        )
        yield GaugeMetricFamily(
            "wrapper_job_workers", "Workers that were seen lately.", value=state.workers
        )
        jobs = GaugeMetricFamily(
            "wrapper_jobs", "Jobs in the queue; failed are those of a day.", labels=["state"]
        )
        for name in ("waiting", "later", "running", "failed"):
            jobs.add_metric([name], getattr(state, name))
        yield jobs


class _Watch(Collector):
    """The looks at the school, of all machines together: `wrapper_facts` counts them."""

    def collect(self) -> Iterator[Metric]:
        left = GaugeMetricFamily(
            "wrapper_watch_requests_left", "Requests that looks may send to the school now."
        )
        watches = GaugeMetricFamily("wrapper_watches", "Watches by status.", labels=["status"])
        try:
            left.add_metric([], requests_left())
            for status, number in count_watches().items():
                watches.add_metric([status], number)
        except DatabaseError:
            return
        yield left
        yield watches


class _LocalCache(Collector):
    """The cached school data of a service without Redis."""

    def collect(self) -> Iterator[Metric]:
        local = store()
        if isinstance(local, LocalStore):
            yield GaugeMetricFamily(
                "wrapper_local_cache_bytes", "Cached school data.", value=local.cached_bytes
            )
            yield CounterMetricFamily(
                "wrapper_local_cache_evictions",
                "Cached answers that were evicted for others.",
                value=local.evicted_answers,
            )


SHARED_REGISTRY = CollectorRegistry()
SHARED_REGISTRY.register(_PublicTotals())
SHARED_REGISTRY.register(_Cases())
SHARED_REGISTRY.register(_Jobs())
SHARED_REGISTRY.register(_Watch())
SHARED_REGISTRY.register(_LocalCache())
