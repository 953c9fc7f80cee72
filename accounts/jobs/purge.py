"""Deleting the jobs that are done."""

from datetime import timedelta
from typing import Any

from django.db.models import Q
from django.utils import timezone
from django_tasks import TaskResultStatus
from django_tasks_db.models import DBTaskResult

from accounts.contribution_types import Progress, Purged

DONE_KEPT = timedelta(days=1)
# Long enough to be looked at after a weekend.
FAILED_KEPT = timedelta(days=7)
BATCH = 500


def purge_jobs(*, dry_run: bool = False, progress: Progress = lambda _: None) -> Purged:
    """Delete the jobs that were done more than a day ago, or failed more than a week ago."""
    now = timezone.now()
    done = Q(status=TaskResultStatus.SUCCESSFUL, finished_at__lt=now - DONE_KEPT)
    failed = Q(status=TaskResultStatus.FAILED, finished_at__lt=now - FAILED_KEPT)
    old = DBTaskResult.objects.filter(done | failed)
    found = Purged(noun="old jobs", done="deleted", seen=old.count())
    found.expired = found.seen if dry_run else 0
    while not dry_run and (batch := _ids(old)):
        found.expired += DBTaskResult.objects.filter(pk__in=batch).delete()[0]
        progress(found)
    return found


def _ids(old: Any) -> list[Any]:
    """Of the next rows, in batches so that no transaction is long."""
    return list(old.order_by().values_list("pk", flat=True)[:BATCH])
