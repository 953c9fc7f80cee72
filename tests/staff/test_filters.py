"""Lists can only be filtered by the offered filters."""

import pytest
from django.test import Client

from accounts.models import Account, AuditEntry
from tests.conftest import Caller
from tests.staff.conftest import Enter, open_list

# Columns that are not shown, and that a filter would reveal character by character.
HIDDEN = [
    ("moderator", "notes/countdown/?title__startswith=A"),
    ("moderator", "social/case/?reports__text__contains=mean"),
    ("moderator", "social/case/?person__username=elsa.nordvall"),
    ("moderator", "social/case/?reports__reporter=1"),
    ("moderator", "social/conversation/?pair_low=1"),
    ("moderator", "accounts/profile/?email__startswith=elsa"),
    ("operator", "accounts/servicesession/?token_hash__startswith=a"),
    ("operator", "accounts/auditentry/?staff__password__startswith=p"),
]
OFFERED = [
    ("moderator", "social/case/?status__exact=open&target_type=message&opened_at__isempty=1"),
    ("moderator", "accounts/account/?suspended_at__isempty=1&school=bjorkdalen&q=elsa"),
    ("moderator", "social/invite/?status__exact=pending&o=1"),
    ("operator", "accounts/auditentry/?staff__id__exact=1"),
]


@pytest.mark.parametrize(("role", "page"), HIDDEN)
def test_hidden_columns_cannot_be_filtered(role: str, page: str, enter: Enter) -> None:
    assert _filtered(enter(role), page) == 400


@pytest.mark.parametrize(("role", "page"), OFFERED)
def test_the_filters_that_are_offered_work(role: str, page: str, enter: Enter) -> None:
    assert _filtered(enter(role), page) == 200


def _filtered(client: Client, page: str) -> int:
    """The status of the list with these filters, after a reason where it needs one."""
    path = f"/admin/{page.partition('?')[0]}"
    if "list_reason" in client.get(path).content.decode():
        open_list(client, path)
    status: int = client.get(f"/admin/{page}").status_code
    return status


def test_no_history_view_bypasses_the_audit_log(elsa: Caller, enter: Enter) -> None:
    client = enter()
    page = f"/admin/accounts/account/{Account.objects.get().pk}/"
    assert client.get(f"{page}history/").status_code == 404
    shown = client.get(f"{page}change/")
    assert shown.status_code == 200
    assert "history/" not in shown.content.decode()
    assert list(AuditEntry.objects.values_list("action", flat=True)) == ["look"]


def test_no_autocomplete_view_bypasses_the_audit_log(enter: Enter) -> None:
    page = "/admin/autocomplete/?app_label=accounts&model_name=profile&field_name=account"
    assert enter().get(page).status_code == 404
