"""`purge_audit` deletes what is older than AUDIT_MONTHS, and nothing else does."""

from datetime import datetime

import pytest
import time_machine
from django.core.management import call_command
from django.db import DatabaseError, connection, transaction
from django.utils import timezone
from pytest_django.fixtures import Settings

from accounts.purging import MONTH
from staff.models import AuditEntry
from staff.services.audit import record

Capture = pytest.CaptureFixture[str]


@pytest.fixture
def now(db: None) -> datetime:
    """Entries of 25, 13 and no months ago."""
    moment = timezone.now()
    for months in (25, 13, 0):
        with time_machine.travel(moment - months * MONTH):
            record(action="look", target=f"{months} months ago", command="a test")
    return moment


def _targets() -> list[str]:
    return list(AuditEntry.objects.order_by("pk").values_list("target", flat=True))


def test_it_deletes_what_is_old_and_logs_that(now: datetime, capsys: Capture) -> None:
    old = "1 entries of the audit log older than 24 months"
    call_command("purge_audit", "--dry-run")
    assert capsys.readouterr().out == f"{old} would be deleted.\n"
    assert len(_targets()) == 3
    call_command("purge_audit")
    assert capsys.readouterr().out == f"{old} deleted.\n"
    day = timezone.localdate(now - 24 * MONTH)
    assert _targets() == ["13 months ago", "0 months ago", f"1 entries before {day}"]
    assert AuditEntry.objects.latest("pk").command == "purge_audit"


def test_the_age_is_a_setting(now: datetime, settings: Settings) -> None:
    settings.AUDIT_MONTHS = 12
    call_command("purge_audit")
    assert _targets()[0] == "0 months ago"


def test_afterwards_the_database_refuses_again(complete_refusal: None, now: datetime) -> None:
    connection.check_constraints()
    call_command("purge_audit")
    with pytest.raises(DatabaseError, match="append-only"), transaction.atomic():
        AuditEntry.objects.all().delete()
    assert len(_targets()) == 3


@pytest.mark.skipif(connection.vendor != "postgresql", reason="a rule of the PostgreSQL trigger")
def test_no_setting_lets_a_new_entry_go(now: datetime) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL wrapper.allow_audit_purge = 'on'")
    with pytest.raises(DatabaseError, match="append-only"), transaction.atomic():
        AuditEntry.objects.filter(target="0 months ago").delete()
    assert len(_targets()) == 3
