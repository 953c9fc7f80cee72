"""Signing in to the admin needs two factors."""

from datetime import timedelta

import pytest
from axes.models import AccessAttempt
from django.contrib.sessions.models import Session
from django.test import Client
from django.urls import get_resolver
from django.urls.resolvers import URLPattern, URLResolver
from django.utils import timezone

from accounts.models import Account
from staff.models import StaffDevice
from staff.services.members import enrol_staff, set_roles
from staff.sessions import purge_staff_sign_ins
from tests.conftest import Caller
from tests.staff.conftest import Enter, sign_in, token_of

PAGES = ["/admin/", "/admin/social/case/", "/admin/accounts/profile/", "/admin/accounts/account/"]
PEOPLE = ["elsa.nordvall", "torbjörn.ekvik", "gun.nordvall"]


def _staff(username: str = "moa") -> str:
    set_roles()
    return enrol_staff(username=username, role="moderator").password


def test_anonymous_visitors_are_sent_to_the_login(client: Client, db: None) -> None:
    for page in PAGES:
        answer = client.get(page)
        assert answer.status_code == 302
        assert answer["Location"].startswith("/admin/login/")


@pytest.mark.parametrize("person", PEOPLE)
def test_school_accounts_cannot_sign_in(person: str, caller: Caller) -> None:
    caller.sign_in(person)
    for page in PAGES:
        assert caller.get(page).status_code == 302
    answer = sign_in(caller.http, person, f"{person.split('.')[0]}-demo", "123456")
    assert answer.status_code == 200
    assert caller.get("/admin/").status_code == 302


def test_a_password_alone_is_not_enough(db: None) -> None:
    password, client = _staff(), Client(enforce_csrf_checks=True)
    assert sign_in(client, "moa", password, "").status_code == 200
    assert client.get("/admin/").status_code == 302


def test_staff_without_a_device_are_signed_out(enter: Enter) -> None:
    client = enter()
    assert client.get("/admin/").status_code == 200
    StaffDevice.objects.all().delete()
    assert client.get("/admin/").status_code == 302


def test_a_token_works_once(db: None) -> None:
    password = _staff()
    token = token_of("moa")
    assert sign_in(Client(), "moa", password, token).status_code == 302
    assert sign_in(Client(), "moa", password, token).status_code == 200


def test_a_username_is_locked_for_one_address_only(db: None) -> None:
    password = _staff()
    for _ in range(5):
        sign_in(Client(), "moa", "wrong", "123456")
    token = token_of("moa")
    assert sign_in(Client(), "moa", password, token).status_code == 429
    elsewhere = sign_in(Client(REMOTE_ADDR="203.0.113.7"), "moa", password, token)
    assert elsewhere.status_code == 302


def test_pages_have_a_strict_content_policy(client: Client, db: None) -> None:
    policy = client.get("/admin/login/").headers["Content-Security-Policy"]
    assert "script-src 'self'" in policy
    assert "unsafe" not in policy


def test_the_cookie_is_limited_to_the_admin(enter: Enter) -> None:
    morsel = enter().cookies["staff_session"]
    assert morsel["path"] == "/admin/"
    assert (morsel["samesite"], bool(morsel["httponly"])) == ("Strict", True)
    assert morsel["secure"]


def _lists() -> list[str]:
    """The URL of every list in the admin."""
    (staff,) = (
        entry
        for entry in get_resolver().url_patterns
        if isinstance(entry, URLResolver) and entry.app_name == "admin"
    )
    return [
        f"/admin/{model.pattern}"
        for model in staff.url_patterns
        if isinstance(model, URLResolver)
        for page in model.url_patterns
        if isinstance(page, URLPattern) and str(page.name).endswith("_changelist")
    ]


@pytest.mark.parametrize(
    ("role", "seen"),
    [
        (
            "moderator",
            {"account", "profile", "case", "conversation", "invite", "sharelink", "countdown"},
        ),
        ("auditor", {"auditentry"}),
        ("operator", {"account", "servicesession", "auditentry", "staffmember"}),
    ],
)
def test_each_role_sees_only_what_it_needs(role: str, seen: set[str], enter: Enter) -> None:
    client = enter(role)
    shown = [page for page in _lists() if client.get(page).status_code == 200]
    assert {page.strip("/").rpartition("/")[2] for page in shown} == seen


def test_nothing_can_be_added_or_deleted(elsa: Caller, enter: Enter) -> None:
    client = enter()
    for page in _lists():
        assert client.get(f"{page}add/").status_code == 403
    account = Account.objects.get()
    assert client.get(f"/admin/accounts/account/{account.pk}/delete/").status_code == 403


def test_data_of_old_sign_ins_is_deleted(enter: Enter) -> None:
    enter()
    sign_in(Client(), "moa", "wrong", "123456")
    assert purge_staff_sign_ins().expired == 0
    long_ago = timezone.now() - timedelta(days=31)
    Session.objects.update(expire_date=long_ago)
    AccessAttempt.objects.update(attempt_time=long_ago)
    assert purge_staff_sign_ins(dry_run=True).expired == 2
    assert Session.objects.exists()
    assert purge_staff_sign_ins().expired == 2
    assert not Session.objects.exists()
