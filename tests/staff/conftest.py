"""Staff who have signed in over HTTP, with both factors."""

import re
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django_otp.oath import totp

from staff.models import StaffDevice
from staff.services.members import enrol_staff, set_roles
from tests.conftest import Caller
from tests.social_actions import answer_invite, new_group

Enter = Callable[..., Client]


def token_of(username: str) -> str:
    """The current code of the authenticator app."""
    device = StaffDevice.objects.get(user__username=username)
    return f"{totp(device.bin_key):06d}"


def csrf_token(page: Any) -> str:
    """The hidden field of the forms in a response."""
    found = re.search(r'name="csrfmiddlewaretoken" value="([^"]+)"', page.content.decode())
    assert found
    return found[1]


def sign_in(client: Client, username: str, password: str, token: str, **extra: Any) -> Any:
    """Submit the login page."""
    form = {
        "csrfmiddlewaretoken": csrf_token(client.get("/admin/login/")),
        "username": username,
        "password": password,
        "otp_token": token,
        "next": "/admin/",
    }
    return client.post("/admin/login/", form, **extra)


def open_list(client: Client, page: str, reason: str = "A pupil asked for help.") -> Any:
    """The list as a response, after a reason was given where it asks for one."""
    answer = client.get(page)
    if "list_reason" not in answer.content.decode():
        return answer
    form = {"csrfmiddlewaretoken": csrf_token(answer), "list_reason": reason}
    assert client.post(page, form).status_code == 302
    return client.get(page)


@pytest.fixture
def complete_refusal(db: None) -> None:
    """The database refuses to empty the audit log, as in a deployment; in this suite it lets tests
    do it (see `tests.conftest`)."""
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute(
                "ALTER TABLE accounts_auditentry ENABLE TRIGGER accounts_audit_no_truncate"
            )
        else:
            cursor.execute(
                """CREATE TRIGGER accounts_audit_no_delete BEFORE DELETE ON accounts_auditentry
                BEGIN SELECT RAISE(ABORT, 'the audit log is append-only'); END"""
            )


@pytest.fixture
def group(elsa: Caller, bo: Caller) -> str:
    """Elsa's group with Bo."""
    made = new_group(elsa, "bo.ek")
    answer_invite(bo)
    return made


@pytest.fixture
def enter(db: None) -> Enter:
    """Creates a member of staff with a role, and signs them in."""

    def go(role: str = "moderator", username: str = "moa", schools: Sequence[str] = ()) -> Client:
        set_roles()
        enrolled = enrol_staff(username=username, role=role, schools=schools)
        client = Client(enforce_csrf_checks=True)
        answer = sign_in(client, username, enrolled.password, token_of(username))
        assert (answer.status_code, answer["Location"]) == (302, "/admin/")
        return client

    return go
