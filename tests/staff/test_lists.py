"""Lists of people need a reason, and are searched without accents."""

import pytest
from django.contrib import admin
from django.contrib.auth.models import Group
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from accounts.models import Account
from staff.models import AuditEntry
from staff.services.members import set_roles
from staff.site import ReadOnlyAdmin
from tests.conftest import Caller, signed_in
from tests.staff.conftest import Enter, open_list

ACCOUNTS = "/admin/accounts/account/"
LISTS = {
    "moderator": [
        *("accounts/account", "accounts/profile", "social/conversation", "social/invite"),
        *("notes/sharelink", "notes/countdown"),
    ],
    "operator": ["accounts/account", "accounts/servicesession", "accounts/auditentry"],
    "auditor": ["accounts/auditentry"],
}


def _text(client: Client, page: str, **query: str) -> str:
    answer = client.get(page, query)
    assert answer.status_code == 200
    return str(answer.content.decode())


@pytest.mark.parametrize("role", LISTS)
def test_a_list_is_shown_after_a_reason_was_given(role: str, enter: Enter) -> None:
    client = enter(role)
    for number, page in enumerate(LISTS[role]):
        path = f"/admin/{page}/"
        assert 'name="list_reason"' in _text(client, path)
        assert "changelist-form" not in _text(client, path)
        assert AuditEntry.objects.count() == number
        assert "changelist" in open_list(client, path, "A yearly check.").content.decode()
        entry = AuditEntry.objects.latest("pk")
        assert (entry.action, entry.reason) == ("list", "A yearly check.")


def test_a_reason_is_asked_for_once_in_a_session(elsa: Caller, enter: Enter) -> None:
    client = enter()
    open_list(client, ACCOUNTS)
    assert "elsa.nordvall" in _text(client, ACCOUNTS)
    assert "list_reason" in _text(client, "/admin/accounts/profile/")
    assert "list_reason" in _text(enter(username="mio"), ACCOUNTS)
    assert enter("auditor", "ada").get(ACCOUNTS).status_code == 403


def test_a_reason_has_five_to_five_hundred_characters(elsa: Caller, enter: Enter) -> None:
    client = enter()
    client.handler.enforce_csrf_checks = False
    for reason in ("", "    ", "abcd", "x" * 501):
        answer = client.post(ACCOUNTS, {"list_reason": reason})
        assert "elsa.nordvall" not in answer.content.decode()
        assert "list_reason" in _text(client, ACCOUNTS)


def test_the_search_is_kept_while_a_reason_is_given(elsa: Caller, enter: Enter) -> None:
    client = enter()
    client.handler.enforce_csrf_checks = False
    answer = client.post(f"{ACCOUNTS}?q=elsa", {"list_reason": "A parent called."})
    assert (answer.status_code, answer["Location"]) == (302, f"{ACCOUNTS}?q=elsa")


@pytest.mark.parametrize(
    ("role", "page"),
    [("moderator", "account"), ("moderator", "profile"), ("operator", "servicesession")],
)
def test_a_search_ignores_accents_and_case(
    elsa: Caller, enter: Enter, role: str, page: str
) -> None:
    signed_in("torbjörn.ekvik")
    client, path = enter(role), f"/admin/accounts/{page}/"
    open_list(client, path)
    for query in ("torbjörn", "torbjorn", "TORBJÖRN", "ekvik torbjorn"):
        text = _text(client, path, q=query)
        assert "torbjörn.ekvik" in text, query
        assert "elsa.nordvall" not in text, query


def test_every_list_of_moderators_knows_the_accounts_of_its_rows(db: None) -> None:
    set_roles()
    visible = Group.objects.get(name="moderator").permissions.filter(codename__startswith="view_")
    models = {permission.codename.removeprefix("view_") for permission in visible}
    without = {
        model._meta.model_name
        for model, page in admin.site._registry.items()
        if model._meta.model_name in models
        and isinstance(page, ReadOnlyAdmin)
        and not page.account_lookup
    }
    # A report is about several people; the staff page of reports has its own rule.
    assert without <= {"case"}


def test_the_number_of_queries_does_not_grow(elsa: Caller, enter: Enter) -> None:
    client = enter(schools=["bjorkdalen"])
    open_list(client, ACCOUNTS)
    with CaptureQueriesContext(connection) as few:
        _text(client, ACCOUNTS)
    Account.objects.bulk_create(
        Account(school="bjorkdalen", upstream_user_id=n, username=f"pupil{n}")
        for n in range(1000, 1030)
    )
    with CaptureQueriesContext(connection) as many:
        _text(client, ACCOUNTS)
    assert len(many) == len(few)
