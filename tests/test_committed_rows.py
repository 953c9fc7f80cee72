"""What a test commits is gone for the next one, and what `migrate` made is there."""

from django.contrib.auth.models import Group
from django.test import TransactionTestCase

from accounts.models import Account
from staff.models import AuditEntry
from tests.committed_rows import MADE_BY_MIGRATE, empty_after, tables_with_rows
from tests.conftest import Caller


def empty() -> None:
    empty_after(TransactionTestCase())


def test_committed_rows_are_deleted(transactional_db: None, caller: Caller) -> None:
    caller.sign_in()
    AuditEntry.objects.create(action="test")
    assert {"accounts_account", "accounts_auditentry"} <= set(tables_with_rows())
    empty()
    assert tables_with_rows() == []


def test_what_migrate_made_is_not_made_again(transactional_db: None, caller: Caller) -> None:
    made = [sorted(model.objects.values_list()) for model in MADE_BY_MIGRATE]
    caller.sign_in()
    empty()
    assert not Account.objects.exists()
    assert [sorted(model.objects.values_list()) for model in MADE_BY_MIGRATE] == made


def test_roles_that_a_test_changed_are_made_again(transactional_db: None) -> None:
    def roles() -> set[tuple[str, int]]:
        return {(role.name, role.permissions.count()) for role in Group.objects.all()}

    made = roles()
    assert made
    for role in Group.objects.all():
        role.permissions.clear()
    empty()
    assert roles() == made
