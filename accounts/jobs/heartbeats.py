"""Which workers live, and what happens to the jobs of those that died."""

import logging
import os
import socket
from collections.abc import Collection, Hashable
from datetime import datetime, timedelta
from functools import cache
from pathlib import Path

from django.utils import timezone
from django_tasks import TaskResultStatus
from django_tasks_db.models import DBTaskResult

from accounts.jobs.retries import MOST_ATTEMPTS, WorkerLost
from accounts.jobs.running import failed
from accounts.models import JobWorker

logger = logging.getLogger(__name__)

BEAT_SECONDS = 5.0
# Longer than a worker may wait for a lock of SQLite.
DEAD_AFTER = timedelta(seconds=30)


@cache
def this_host() -> str:
    """The machine since its last start, and the container: where a process id means one process."""
    parts = [socket.gethostname()]
    for path in ("/proc/sys/kernel/random/boot_id", "/proc/self/ns/pid"):
        try:
            parts.append(str(Path(path).readlink()) if "ns" in path else Path(path).read_text())
        except OSError:
            parts.append("")
    return "/".join(part.strip() for part in parts)[:255]


def beat(worker_id: str, *, threads: int, started_at: datetime) -> None:
    """Write that this worker lives, also if another one thought it dead."""
    now = timezone.now()
    if not JobWorker.objects.filter(pk=worker_id).update(seen_at=now):
        JobWorker.objects.create(
            id=worker_id,
            host=this_host(),
            pid=os.getpid(),
            threads=threads,
            started_at=started_at,
            seen_at=now,
        )


def leave(worker_id: str) -> None:
    """This worker has ended, and has no job any more."""
    JobWorker.objects.filter(pk=worker_id).delete()


def live_workers() -> set[str]:
    """The ids of the workers whose jobs must be left to them."""
    return set(JobWorker.objects.values_list("pk", flat=True))


def reclaim_lost_jobs(
    *, unseen_too: bool = True, own_id: str = "", at_work_on: Collection[Hashable] = ()
) -> int:
    """Make the jobs of dead workers ready again; returns how many.

    A worker is dead if its process on this host is gone and, with `unseen_too`, if it was not seen
    for a while. Of the worker `own_id` all jobs are lost but those that it is at work on: it may
    have lost the connection while it claimed them.
    """
    for worker in JobWorker.objects.all():
        if _process_is_gone(worker) or (unseen_too and _is_unseen(worker)):
            # Not if it was seen since.
            JobWorker.objects.filter(pk=worker.pk, seen_at=worker.seen_at).delete()
    # Before the workers are listed: each is there before it claims its first job.
    running = list(DBTaskResult.objects.running().values_list("pk", "started_at", "worker_ids"))
    if not running:
        return 0
    alive = live_workers() - {own_id}
    lost = [row for row in running if row[0] not in at_work_on and alive.isdisjoint(row[2][-1:])]
    reclaimed = 0
    for pk, started_at, worker_ids in lost:
        again = {"status": TaskResultStatus.READY, "started_at": None}
        columns = again if len(worker_ids) < MOST_ATTEMPTS else failed(WorkerLost())
        same = DBTaskResult.objects.running().filter(pk=pk, started_at=started_at)
        reclaimed += same.update(**columns)
    if reclaimed:
        logger.warning("jobs that their workers have lost run again: %d", reclaimed)
    return reclaimed


def _is_unseen(worker: JobWorker) -> bool:
    return worker.seen_at < timezone.now() - DEAD_AFTER


def _process_is_gone(worker: JobWorker) -> bool:
    if worker.host != this_host() or worker.pid == os.getpid():
        return False
    try:
        os.kill(worker.pid, 0)
    except ProcessLookupError:
        return True
    except PermissionError:
        return False  # there, and of another user
    try:
        state = Path(f"/proc/{worker.pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state == "Z"  # dead, and nobody has asked for its exit status
