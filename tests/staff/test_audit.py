"""The database refuses changes to the audit log."""

import re
from uuid import UUID

import pytest
from django.db import DatabaseError, connection, transaction

from accounts.models import Account, AccountWarning, AuditEntry
from social.models import Report
from tests.conftest import Caller
from tests.social_actions import report
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


def test_staff_in_the_log_cannot_be_deleted(enter: Enter) -> None:
    enter().get("/admin/social/report/")
    staff = AuditEntry.objects.get().staff
    with pytest.raises(DatabaseError):
        staff.delete()


def test_a_name_in_a_url_is_not_logged(elsa: Caller, enter: Enter) -> None:
    number, client = Account.objects.get().pk, enter()
    for wanted in (number, "elsa.nordvall", "x" * 150, 10**9):
        client.get(f"/admin/accounts/account/{wanted}/change/")
    assert [entry.target for entry in AuditEntry.objects.all()] == [f"account {number}"]


def test_what_cannot_be_logged_is_not_done(
    elsa: Caller, enter: Enter, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = f"/admin/social/report/{UUID(report(elsa, 'profile', 'elsa.nordvall'))}/change/"
    client = enter()

    def act(action: str) -> None:
        token = re.search(
            r'csrfmiddlewaretoken" value="([^"]+)"', client.get(page).content.decode()
        )
        assert token
        form = {"reason": "Asked for help.", "action": action}
        client.post(page, {"csrfmiddlewaretoken": token[1], **form})

    act("open")
    monkeypatch.setattr(AuditEntry.objects, "create", lambda **_: 1 // 0)
    with pytest.raises(ZeroDivisionError):
        act("warn")
    assert Report.objects.get().status == "open"
    assert not AccountWarning.objects.exists()
