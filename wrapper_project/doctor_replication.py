"""What `manage.py doctor` says of the standbys of PostgreSQL and of its archive of WAL."""

from django.db import connection

from wrapper_project.doctor_findings import Finding, Findings, fail, ok
from wrapper_project.replication import (
    ARCHIVE_SECONDS,
    Replication,
    is_standby_expected,
    read_replication,
)


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
        hint = "Start the standby (unit pgautofailover), or see docs/failover.md."
        return fail("every write waits for a standby that is away.", hint)
    hint = (
        "Start the standby (unit pgautofailover): until then the loss of the primary loses writes."
    )
    return fail(f"no standby confirms commits ({state.connected} are connected).", hint)


def judge_archive(state: Replication) -> Finding:
    """The finding about a server that archives its WAL."""
    hint = (
        "The log of PostgreSQL on the primary says why: is the disk of the archive full? Until it "
        "is mended, the primary's disk fills, and a restore ends before this."
    )
    if state.archive_fails:
        return fail(f"WAL cannot be archived since {state.failed_wal}.", hint)
    if state.archive_waits > ARCHIVE_SECONDS:
        return fail(f"WAL has waited to be archived for {state.archive_waits:.0f} s.", hint)
    return ok("WAL is archived.")
