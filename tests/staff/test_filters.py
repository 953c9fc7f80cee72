"""Lists can only be filtered by the offered filters."""

import pytest

from accounts.models import Account
from staff.models import AuditEntry
from tests.conftest import Caller
from tests.staff.conftest import Enter, open_list

# Columns that are not shown, and that a filter would reveal character by character.
HIDDEN = {
    "moderator": [
        "notes/countdown/?title__startswith=A",
        "social/case/?reports__text__contains=mean",
        "social/case/?person__username=elsa.nordvall",
        "social/case/?reports__reporter=1",
        "social/conversation/?pair_low=1",
        "accounts/profile/?email__startswith=elsa",
    ],
    "operator": [
        "accounts/servicesession/?token_hash__startswith=a",
        "accounts/auditentry/?staff__password__startswith=p",
    ],
}
OFFERED = {
    "moderator": [
        "social/case/?status__exact=open&target_type=message&opened_at__isempty=1",
        "accounts/account/?suspended_at__isempty=1&school=bjorkdalen&q=elsa",
        "social/invite/?status__exact=pending&o=1",
    ],
    "operator": ["accounts/auditentry/?staff__id__exact=1"],
}


@pytest.mark.parametrize("role", HIDDEN)
def test_only_the_filters_that_are_offered_work(role: str, enter: Enter) -> None:
    client = enter(role)
    for pages, status in ((HIDDEN[role], 400), (OFFERED[role], 200)):
        for page in pages:
            open_list(client, f"/admin/{page.partition('?')[0]}")
            assert client.get(f"/admin/{page}").status_code == status, page


def test_no_history_or_autocompletion_bypasses_the_audit_log(elsa: Caller, enter: Enter) -> None:
    client = enter()
    complete = "app_label=accounts&model_name=profile&field_name=account"
    assert client.get(f"/admin/autocomplete/?{complete}").status_code == 404
    page = f"/admin/accounts/account/{Account.objects.get().pk}/"
    assert client.get(f"{page}history/").status_code == 404
    shown = client.get(f"{page}change/")
    assert shown.status_code == 200
    assert "history/" not in shown.content.decode()
    assert list(AuditEntry.objects.values_list("action", flat=True)) == ["look"]
