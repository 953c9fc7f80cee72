"""Lists of people need a reason, are searched without accents, and end at a moderator's schools."""

import pytest
from django.contrib import admin
from django.contrib.auth.models import Group
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.models import Account, AuditEntry
from accounts.services.staff import set_roles
from accounts.staff_site import ReadOnlyAdmin
from tests.conftest import Caller, signed_in
from tests.social_actions import dm_of
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


@pytest.mark.parametrize(
    ("role", "page"), [(role, page) for role, pages in LISTS.items() for page in pages]
)
def test_a_list_is_shown_after_a_reason_was_given(role: str, page: str, enter: Enter) -> None:
    client, path = enter(role), f"/admin/{page}/"
    assert 'name="list_reason"' in _text(client, path)
    assert "changelist-form" not in _text(client, path)
    assert not AuditEntry.objects.exists()
    assert "changelist" in open_list(client, path, "A yearly check.").content.decode()
    entry = AuditEntry.objects.get()
    assert (entry.action, entry.reason) == ("list", "A yearly check.")


def test_a_reason_is_asked_for_once_in_a_session(elsa: Caller, enter: Enter) -> None:
    client = enter()
    open_list(client, ACCOUNTS)
    assert "elsa.nordvall" in _text(client, ACCOUNTS)
    assert "list_reason" in _text(client, "/admin/accounts/profile/")
    assert "list_reason" in _text(enter(username="mio"), ACCOUNTS)


def test_an_account_that_nobody_has_claimed_says_so(elsa: Caller, enter: Enter) -> None:
    """Its name and its role come from the file of an import."""
    client = enter()
    open_list(client, ACCOUNTS)
    assert "column-unclaimed_since" in _text(client, ACCOUNTS)
    assert "elsa.nordvall" not in _text(client, ACCOUNTS, unclaimed_since__isempty="0")
    Account.objects.update(unclaimed_since=timezone.now())
    assert "elsa.nordvall" in _text(client, ACCOUNTS, unclaimed_since__isempty="0")


@pytest.mark.parametrize("reason", ["", "    ", "abcd", "x" * 501])
def test_a_reason_has_five_to_five_hundred_characters(
    reason: str, elsa: Caller, enter: Enter
) -> None:
    client = enter()
    client.handler.enforce_csrf_checks = False
    answer = client.post(ACCOUNTS, {"list_reason": reason})
    assert "elsa.nordvall" not in answer.content.decode()
    assert "list_reason" in _text(client, ACCOUNTS)


def test_the_search_is_kept_while_a_reason_is_given(elsa: Caller, enter: Enter) -> None:
    client = enter()
    client.handler.enforce_csrf_checks = False
    answer = client.post(f"{ACCOUNTS}?q=elsa", {"list_reason": "A parent called."})
    assert (answer.status_code, answer["Location"]) == (302, f"{ACCOUNTS}?q=elsa")


def test_another_role_gets_no_form(enter: Enter) -> None:
    assert enter("auditor").get(ACCOUNTS).status_code == 403


@pytest.mark.parametrize("query", ["torbjörn", "torbjorn", "TORBJÖRN", "ekvik torbjorn"])
@pytest.mark.parametrize("page", [ACCOUNTS, "/admin/accounts/profile/"])
def test_a_search_ignores_accents_and_case(
    page: str, query: str, elsa: Caller, enter: Enter
) -> None:
    Caller().sign_in("torbjörn.ekvik")
    client = enter()
    open_list(client, page)
    text = _text(client, page, q=query)
    assert "torbjörn.ekvik" in text
    assert "elsa.nordvall" not in text


def test_a_login_is_found_by_its_person(elsa: Caller, enter: Enter) -> None:
    Caller().sign_in("torbjörn.ekvik")
    client, page = enter("operator"), "/admin/accounts/servicesession/"
    open_list(client, page)
    assert "torbjörn.ekvik" in _text(client, page, q="torbjorn")
    assert "elsa.nordvall" not in _text(client, page, q="torbjorn")


def _fill_two_schools(elsa: Caller, zoe: Caller) -> None:
    """Elsa (bjorkdalen) and Zoe (nyvang) have a countdown each; Elsa writes to Bo at her school."""
    for caller, title in ((elsa, "a"), (zoe, "b")):
        caller.post("/api/countdowns", {"title": title, "targetDate": "2027-05-11"})
    signed_in("bo.ek")
    dm_of(elsa, "bo.ek")


@pytest.mark.parametrize(
    ("page", "rows"),
    [
        ("accounts/account", {"bjorkdalen": 2, "nyvang": 1}),
        ("accounts/profile", {"bjorkdalen": 2, "nyvang": 1}),
        ("notes/countdown", {"bjorkdalen": 1, "nyvang": 1}),
        ("social/conversation", {"bjorkdalen": 1, "nyvang": 0}),
    ],
)
def test_a_moderator_of_a_school_sees_its_people_only(
    page: str, rows: dict[str, int], elsa: Caller, zoe: Caller, enter: Enter
) -> None:
    _fill_two_schools(elsa, zoe)
    for school, count in rows.items():
        client = enter(username=f"moa-{school}", schools=[school])
        shown = open_list(client, f"/admin/{page}/").context_data["cl"]
        assert shown.result_count == count, school
    everything = enter(username="mio", schools=["bjorkdalen", "nyvang"])
    total = open_list(everything, f"/admin/{page}/").context_data["cl"].result_count
    assert total == sum(rows.values())


def test_a_person_of_another_school_has_no_page(elsa: Caller, zoe: Caller, enter: Enter) -> None:
    client = enter(schools=["bjorkdalen"])
    of_zoe = Account.objects.get(school="nyvang").pk
    assert client.get(f"{ACCOUNTS}{of_zoe}/change/").status_code == 302
    assert not AuditEntry.objects.exists()
    open_list(client, ACCOUNTS)
    assert "nyvang" not in _text(client, ACCOUNTS)  # neither in the filters


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
