"""The audit log only grows, and the database sees to it."""

import pytest
from django.db import DatabaseError, connection, transaction

from accounts.models import AuditEntry
from tests.staff.conftest import Enter

needs_postgresql = pytest.mark.skipif(
    connection.vendor != "postgresql", reason="SQLite is for one person's own machine"
)


@needs_postgresql
@pytest.mark.parametrize("statement", ["UPDATE {} SET reason = 'other'", "DELETE FROM {}"])
def test_no_entry_is_changed_or_deleted(statement: str, enter: Enter) -> None:
    enter().get("/admin/social/report/")
    with (
        pytest.raises(DatabaseError, match="append-only"),
        transaction.atomic(),
        connection.cursor() as cursor,
    ):
        cursor.execute(statement.format(AuditEntry._meta.db_table))
    assert AuditEntry.objects.get().action == "list"


def test_who_is_in_the_log_cannot_be_deleted(enter: Enter) -> None:
    enter().get("/admin/social/report/")
    staff = AuditEntry.objects.get().staff
    with pytest.raises(DatabaseError):
        staff.delete()
