"""Lists can only be filtered by the offered filters."""

import pytest

from tests.staff.conftest import Enter

# Columns that are not shown, and that a filter would reveal character by character.
HIDDEN = [
    ("moderator", "notes/countdown/?title__startswith=A"),
    ("moderator", "social/report/?text__contains=mean"),
    ("moderator", "social/report/?reporter=1"),
    ("moderator", "social/conversation/?pair_low=1"),
    ("moderator", "accounts/profile/?email__startswith=elsa"),
    ("operator", "accounts/servicesession/?token_hash__startswith=a"),
    ("operator", "accounts/auditentry/?staff__password__startswith=p"),
]
OFFERED = [
    ("moderator", "social/report/?status__exact=open&target_type__exact=message"),
    ("moderator", "accounts/account/?suspended_at__isempty=1&school=bjorkdalen&q=elsa"),
    ("moderator", "social/invite/?status__exact=pending&o=1"),
    ("operator", "accounts/auditentry/?staff__id__exact=1"),
]


@pytest.mark.parametrize(("role", "page"), HIDDEN)
def test_hidden_columns_cannot_be_filtered(role: str, page: str, enter: Enter) -> None:
    assert enter(role).get(f"/admin/{page}").status_code == 400


@pytest.mark.parametrize(("role", "page"), OFFERED)
def test_the_filters_that_are_offered_work(role: str, page: str, enter: Enter) -> None:
    assert enter(role).get(f"/admin/{page}").status_code == 200


def test_no_autocomplete_view_bypasses_the_audit_log(enter: Enter) -> None:
    page = "/admin/autocomplete/?app_label=accounts&model_name=profile&field_name=account"
    assert enter().get(page).status_code == 404
