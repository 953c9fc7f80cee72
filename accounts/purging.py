"""Deleting what has expired, in batches, so that no transaction is long."""

import logging
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.db.models import QuerySet
from django.utils import timezone

from jobs.queue import old_jobs
from stats.totals import past_dates

BATCH = 1_000
MONTH = timedelta(days=365.25 / 12)
logger = logging.getLogger(__name__)


@dataclass(slots=True)
class Purged:
    """The result of a purge: rows looked at, expired (deleted), and readable by no key (kept).
    `noun` and `done` are the words for the summary."""

    noun: str
    done: str
    seen: int = 0
    expired: int = 0
    unreadable: int = 0


def purge_rows(
    rows: QuerySet[Any],
    noun: str,
    *,
    dry_run: bool,
    done: str = "deleted",
    purge: Callable[[QuerySet[Any]], object] = QuerySet.delete,
) -> Purged:
    """Call `purge` with a batch of the rows until none is left: it deletes or changes them. A full
    batch is logged, so that one sees how far a long purge is."""
    count = rows.count() if dry_run else 0
    while not dry_run and (batch := list(rows.values_list("pk", flat=True)[:BATCH])):
        purge(rows.filter(pk__in=batch))
        count += len(batch)
        if len(batch) == BATCH:
            logger.info("%d %s %s so far", count, noun, done)
    return Purged(noun, done, seen=count, expired=count)


def purge_jobs(dry_run: bool = False) -> Purged:
    """Delete the jobs that were done more than a day ago, or failed more than a week ago."""
    return purge_rows(old_jobs(), "old jobs", dry_run=dry_run)


def purge_contributors(dry_run: bool = False) -> Purged:
    """Forget who contributed to the statistics of past dates."""
    return purge_rows(
        past_dates(today=timezone.localdate()),
        "past dates with contributors",
        dry_run=dry_run,
        done="emptied",
        purge=lambda dates: dates.update(contributors=[]),
    )
