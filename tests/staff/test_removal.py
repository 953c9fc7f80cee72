"""Operators see who is staff, and remove people."""

import pytest
from django.contrib.auth.models import User
from django.test import Client

from staff.models import AuditEntry, StaffMember
from tests.staff.conftest import Enter

STAFF = "/admin/accounts/staffmember/"
REASON = "Left the school."


def _page(username: str) -> str:
    return f"{STAFF}{StaffMember.objects.get(user__username=username).pk}/change/"


def _remove(client: Client, page: str, **form: str) -> int:
    client.handler.enforce_csrf_checks = False
    status: int = client.post(page, form).status_code
    return status


def test_operators_see_role_schools_and_last_sign_in(enter: Enter) -> None:
    enter(schools=["nyvang"])
    text = enter("operator", "ole").get(STAFF).content.decode()
    for word in ("moa", "moderator", "nyvang", "ole", "operator"):
        assert word in text


def test_an_operator_removes_a_member(enter: Enter) -> None:
    moa, ole = enter(), enter("operator", "ole")
    page = _page("moa")
    assert "Remove moa from staff" in ole.get(page).content.decode()
    assert _remove(ole, page, reason=REASON, confirmed="on") == 302
    assert ole.get(page).status_code == 404
    assert moa.get("/admin/").status_code == 302
    assert "moa" not in ole.get(STAFF).content.decode().partition('id="result_list"')[2]
    entry = AuditEntry.objects.get(action="remove_staff")
    assert (entry.staff_name, entry.target, entry.reason) == ("ole", "staff moa", REASON)


def test_a_removal_needs_a_reason_and_a_confirmation(enter: Enter) -> None:
    moa, ole = enter(), enter("operator", "ole")
    short = {"reason": "abcd", "confirmed": "on"}
    for given in ({}, {"reason": REASON}, {"confirmed": "on"}, short):
        assert _remove(ole, _page("moa"), **given) == 200
    assert moa.get("/admin/").status_code == 200


def test_operators_cannot_remove_themselves(enter: Enter) -> None:
    ole = enter("operator", "ole")
    assert "Ask another operator" in ole.get(_page("ole")).content.decode()
    assert _remove(ole, _page("ole"), reason=REASON, confirmed="on") == 200
    assert User.objects.get().is_active


@pytest.mark.parametrize("role", ["moderator", "auditor"])
def test_other_roles_neither_see_nor_remove_staff(role: str, enter: Enter) -> None:
    enter("operator", "ole")
    client = enter(role)
    assert client.get(STAFF).status_code == 403
    assert client.get(_page("ole")).status_code == 403
    assert _remove(client, _page("ole"), reason=REASON, confirmed="on") == 403
    assert User.objects.get(username="ole").is_active
