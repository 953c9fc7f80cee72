"""What PostgreSQL says of its standbys and of its archive of WAL, for `doctor` and the metrics."""

from dataclasses import dataclass, replace

from django.db import connection

# Who lacks the rights of pg_monitor sees that a standby is connected, and nothing else of it.
_QUERY = """
    SELECT
        (SELECT count(*) FROM pg_stat_replication),
        (SELECT count(*) FROM pg_stat_replication
         WHERE sync_state IN ('sync', 'quorum')
            OR sync_state IS NULL AND NOT pg_has_role('pg_read_all_stats', 'USAGE')),
        current_setting('synchronous_standby_names') <> '',
        current_setting('archive_mode') <> 'off',
        coalesce(last_failed_time > coalesce(last_archived_time, '-infinity'), false),
        coalesce(last_failed_wal, '')
    FROM pg_stat_archiver
"""
# A command that hangs has not failed yet: pgBackRest tries for two minutes.
ARCHIVE_SECONDS = 60.0
_MAY_LIST = "SELECT has_function_privilege('pg_ls_archive_statusdir()', 'EXECUTE')"
_OLDEST = """
    SELECT coalesce(extract(epoch FROM clock_timestamp() - min(modification)), 0)
    FROM pg_ls_archive_statusdir() WHERE name LIKE '%.ready'
"""


@dataclass(frozen=True, slots=True)
class Replication:
    """`connected` standbys, and how many of them confirm commits; `commits_wait` for one.

    `archives`: whether WAL goes to an archive; `archive_fails` since its last success, with the
    file `failed_wal`. `archive_waits`: for how many seconds the oldest file waits, as far as the
    role may know.
    """

    connected: int
    synchronous: int
    commits_wait: bool
    archives: bool
    archive_fails: bool
    failed_wal: str
    archive_waits: float = 0.0

    @property
    def is_archive_stuck(self) -> bool:
        return self.archive_fails or self.archive_waits > ARCHIVE_SECONDS

    @property
    def confirming(self) -> int:
        """How many standbys have every write that was acknowledged."""
        return self.synchronous if self.commits_wait else 0


def is_standby_expected() -> bool:
    """Whether DATABASE_URL names several hosts."""
    return "," in str(connection.settings_dict["HOST"])


def read_replication() -> Replication:
    """Of the primary, on PostgreSQL. Raises DatabaseError."""
    with connection.cursor() as cursor:
        cursor.execute(_QUERY)
        state = Replication(*cursor.fetchone())
        cursor.execute(_MAY_LIST)
        if not (state.archives and cursor.fetchone()[0]):
            return state
        cursor.execute(_OLDEST)
        return replace(state, archive_waits=float(cursor.fetchone()[0]))
