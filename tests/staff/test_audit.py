"""What the audit log holds, and that the database refuses to change it."""

import pytest
from django.core.management import call_command
from django.db import DatabaseError, connection, transaction

from accounts.models import Account, AccountWarning
from social.models import Case
from staff.models import AuditEntry
from tests.accounts.full_account import columns_and_keys_with
from tests.conftest import Caller, signed_in
from tests.social_actions import report
from tests.staff.cases import open_case
from tests.staff.conftest import Enter, open_list

ACCOUNTS = "/admin/accounts/account/"
LOG = "/admin/accounts/auditentry/"


@pytest.mark.parametrize(
    "statement", ["UPDATE {} SET reason = 'other'", "DELETE FROM {}", "TRUNCATE {}"]
)
def test_no_entry_is_changed_or_deleted(
    statement: str, complete_refusal: None, enter: Enter
) -> None:
    if statement.startswith("TRUNCATE") and connection.vendor != "postgresql":
        pytest.skip("SQLite has no TRUNCATE")
    enter().get("/admin/social/case/")
    connection.check_constraints()  # PostgreSQL empties no table whose constraints are pending
    with (
        pytest.raises(DatabaseError, match="append-only"),
        transaction.atomic(),
        connection.cursor() as cursor,
    ):
        cursor.execute(statement.format(AuditEntry._meta.db_table))
    assert AuditEntry.objects.get().action == "list"


def test_staff_in_the_log_cannot_be_deleted(enter: Enter) -> None:
    enter().get("/admin/social/case/")
    staff = AuditEntry.objects.get().staff
    assert staff is not None
    with pytest.raises(DatabaseError):
        staff.delete()


def test_every_view_is_in_the_audit_log(enter: Enter) -> None:
    enter().get("/admin/social/case/")
    entry = AuditEntry.objects.get()
    assert (entry.action, entry.target, entry.staff_name) == ("list", "case", "moa")
    assert (entry.address, entry.command, entry.system_user) == ("127.0.0.0", "", "")


def test_a_page_of_a_person_names_the_person_as_the_database_does(
    elsa: Caller, enter: Enter
) -> None:
    account, client = Account.objects.get(), enter()
    for wanted in (account.pk, "elsa.nordvall", "x" * 150, 10**9):  # a URL may hold any name
        client.get(f"{ACCOUNTS}{wanted}/change/")
    entry = AuditEntry.objects.get()
    assert (entry.action, entry.target) == ("look", f"account {account.pk}")
    assert (entry.account_id, entry.account_name) == (account.pk, "elsa.nordvall")


def test_a_search_is_logged_with_what_was_found(elsa: Caller, enter: Enter) -> None:
    client = enter()
    open_list(client, ACCOUNTS, "A parent called about Elsa.")
    for query in ("elsa", "e" * 3000):
        assert client.get(f"{ACCOUNTS}?q={query}").status_code == 200
    short, long = AuditEntry.objects.filter(action="search").order_by("pk")
    assert short.target == "account, 1 found: elsa"
    assert short.reason == "A parent called about Elsa."
    assert len(long.target) == 300


def test_the_log_is_searched_by_public_name_and_case(elsa: Caller, enter: Enter) -> None:
    signed_in("torbjörn.ekvik")
    for name in ("elsa.nordvall", "torbjörn.ekvik"):
        call_command("suspend_account", name, "--reason", "Asked by the school.")
    client = enter("auditor")
    open_list(client, LOG)
    for query in ("torbjörn", "torbjorn", "TORBJÖRN"):
        page = client.get(LOG, {"q": query}).content.decode()
        table = page.partition('id="result_list"')[2]
        assert "torbjörn.ekvik" in table
        assert "elsa.nordvall" not in table


def test_an_erasure_leaves_the_name_in_the_log_only(elsa: Caller, db: None) -> None:
    call_command("erase_account", "elsa.nordvall", "--yes")
    assert columns_and_keys_with("elsa.nordvall", "Nordvall") == [
        "accounts.AuditEntry.account_name",
        "accounts.AuditEntry.search_key",
    ]
    entry = AuditEntry.objects.get()
    assert (entry.action, entry.command) == ("erase", "erase_account")
    assert entry.system_user


def test_what_cannot_be_logged_is_not_done(
    elsa: Caller, bo: Caller, enter: Enter, monkeypatch: pytest.MonkeyPatch
) -> None:
    report(bo, "profile", "elsa.nordvall")
    page = open_case(enter())
    fields = page.fields()
    monkeypatch.setattr(AuditEntry.objects, "create", lambda **_: 1 // 0)
    with pytest.raises(ZeroDivisionError):
        page.client.post(
            page.address, fields | {"do": "warn", "warn-words": "Stop that.", "sure": "1"}
        )
    assert Case.objects.get().is_open
    assert not AccountWarning.objects.exists()
