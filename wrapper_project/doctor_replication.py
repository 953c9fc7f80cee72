"""What `manage.py doctor` says of the second machine: standbys of PostgreSQL, its archive of WAL,
and the primary of Redis."""

import socket
from contextlib import suppress
from urllib.parse import urlsplit

from django.conf import settings
from django.db import connection

from wrapper_project.doctor_findings import Finding, Findings, fail, ok
from wrapper_project.replication import Replication, is_standby_expected, read_replication

SECONDS = 2.0


def check_standby() -> Findings:
    """Whether a standby has what was acknowledged, and the archive takes what was written."""
    if connection.vendor != "postgresql":
        return
    state = read_replication()
    if is_standby_expected() or state.commits_wait or state.connected:
        yield judge_standby(state)
    if state.archives:
        yield judge_archive(state)


def judge_standby(state: Replication) -> Finding:
    """The finding about the standbys of a primary that has to have one."""
    if state.confirming:
        return ok(f"{state.confirming} of {state.connected} standbys confirm each commit.")
    if state.commits_wait:
        hint = "Start the standby, or let the primary go on alone: see docs/failover.md."
        return fail("every write waits for a standby that is away.", hint)
    hint = "Start the standby: until then the loss of the primary loses writes."
    return fail(f"no standby confirms commits ({state.connected} are connected).", hint)


def judge_archive(state: Replication) -> Finding:
    """The finding about a server that archives its WAL."""
    if state.archive_fails:
        hint = "See the log of PostgreSQL. Its disk fills, and a restore ends before this file."
        return fail(f"WAL cannot be archived since {state.failed_wal}.", hint)
    return ok("WAL is archived.")


def judge_redis_role(replication: dict[str, object]) -> Finding | None:
    """The finding about `INFO replication`, if it is not that of a primary."""
    if replication.get("role") == "master":
        return None
    hint = "REDIS_URL has to follow the primary: see HAProxy in docs/failover.md."
    return fail("it is a replica and accepts no writes.", hint)


def why_without_redis() -> str:
    """What to do while Redis cannot be used: HAProxy accepts connections without a primary, too."""
    parts = urlsplit(settings.REDIS_URL)
    with suppress(OSError, ValueError):
        address = (parts.hostname or "localhost", parts.port or 6379)
        socket.create_connection(address, timeout=SECONDS).close()
        return (
            "Something listens there. HAProxy without a primary? See its log and those of the "
            "Sentinels; else check the password and the certificate of REDIS_URL."
        )
    return "Check REDIS_URL and the log of Redis."
