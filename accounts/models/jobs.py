"""The processes that run jobs, and when the recurring jobs ran. The jobs themselves are rows of
`django_tasks_db`."""

from django.db import models


class JobWorker(models.Model):
    """A running `run_worker`. `seen_at` is written every few seconds: a worker that was not seen
    for a while is dead, and others do its jobs. See `accounts.jobs.heartbeats`."""

    id = models.CharField(primary_key=True, max_length=64)
    # The machine, since its last start, and the container.
    host = models.CharField(max_length=255)
    pid = models.PositiveIntegerField()
    threads = models.PositiveSmallIntegerField()
    started_at = models.DateTimeField()
    seen_at = models.DateTimeField()


class RecurringRun(models.Model):
    """The last run of a recurring job, and the worker that is at it, or was when it died."""

    name = models.CharField(primary_key=True, max_length=100)
    started_at = models.DateTimeField(null=True)
    worker = models.CharField(max_length=64, default="")
