"""What is left of imports after a time."""

import logging
from datetime import timedelta

import pytest
from django.core.management import call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.models import Account, ImportedObject
from tests.conftest import Caller

LONG_AGO = timedelta(days=400)


def test_old_records_are_deleted_in_batches(
    caller: Caller, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "accounts.purging")
    old = timezone.now() - LONG_AGO
    ImportedObject.objects.bulk_create(
        ImportedObject(pk=f"{number}", kind=kind, imported_at=old)
        for kind, numbers in (("message", range(2_500)), ("note", range(5_000, 5_010)))
        for number in numbers
    )
    with CaptureQueriesContext(connection) as queries:
        call_command("enforce_retention")
    assert set(ImportedObject.objects.values_list("kind", flat=True)) == {"note"}
    deletes = [each["sql"] for each in queries if each["sql"].startswith("DELETE")]
    assert len([sql for sql in deletes if "importedobject" in sql]) == 3
    so_far = [record.message for record in caplog.records if record.name == "accounts.purging"]
    assert so_far == [
        f"{count} records of imported messages deleted so far" for count in (1000, 2000)
    ]


def test_the_deletion_uses_the_index(db: None) -> None:
    rows = ImportedObject.objects.filter(kind="message", imported_at__lt=timezone.now())
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("SET LOCAL enable_seqscan = off")
        assert "imported_messages" in rows.values_list("imported_at").explain()


def test_an_account_that_is_used_stays(elsa: Caller) -> None:
    """An older server, which ran beside this version, has claimed nothing."""
    Account.objects.update(unclaimed_since=timezone.now() - LONG_AGO)
    call_command("enforce_retention")
    assert Account.objects.exists()
