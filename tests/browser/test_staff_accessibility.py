"""axe finds nothing to object to on the staff's pages, in both themes, languages and widths."""

import pytest
from django.contrib.auth.models import Group, User
from playwright.sync_api import Page, expect
from pytest_django.fixtures import Settings
from pytest_django.live_server_helper import LiveServer

from staff.services.members import Enrolment, enrol_staff, set_roles
from tests.browser import staff
from tests.browser.axe_checker import IN_BOTH_LANGUAGES, NEEDS_AXE, Checker
from tests.conftest import Caller
from tests.social_actions import dm_of, report, say
from upstream.simulator.server import Simulator

pytestmark = NEEDS_AXE


@pytest.fixture
def moa(live_server: LiveServer, simulator: Simulator, settings: Settings) -> Enrolment:
    """She has every role, as in the demo. Elsa has reported a message that Bo edited then."""
    staff.allow_plain_http(settings)
    elsa, bo = Caller(), Caller()
    elsa.sign_in()
    bo.sign_in("bo.ek")
    dm = dm_of(elsa, "bo.ek")
    message = say(bo, dm, "Jag hittar dig")
    report(elsa, "message", message["id"], "Han är dum.")
    report(elsa, "profile", "bo.ek", "Fult.")
    bo.patch(f"/api/conversations/{dm}/{message['id']}", {"action": "edit", "content": "Hej"})
    set_roles()
    enrol_staff(username="ole", role="operator")
    enrolled = enrol_staff(username="moa", role="moderator")
    User.objects.get(username="moa").groups.set(Group.objects.all())
    return enrolled


@IN_BOTH_LANGUAGES
def test_the_sign_in_and_its_error(
    live_server: LiveServer, moa: Enrolment, page: Page, axe: str
) -> None:
    checker = Checker(page, axe)
    page.goto(f"{live_server.url}/admin/")
    checker.check("sign-in")
    page.fill("#id_username", "moa")
    page.fill("#id_password", "wrong")
    page.fill("#id_otp_token", "123456")
    staff.follow(page, "#login-form [type=submit]")
    expect(page.locator(".errornote")).to_be_visible()
    checker.check("sign-in refused")
    assert checker.found == []


@IN_BOTH_LANGUAGES
def test_the_pages_of_a_moderator(
    live_server: LiveServer, moa: Enrolment, page: Page, axe: str
) -> None:
    checker = Checker(page, axe)
    staff.sign_in(page, live_server.url, moa)
    checker.check("front")
    staff.follow(page, ".counts a")
    checker.check("cases")
    staff.follow(page, "#result_list tbody a")
    checker.check("case before opening")
    page.fill("[name=reason]", "En elev bad om hjälp.")
    staff.follow(page, "[name=open]")
    checker.check("case")
    page.check("[name=suspend-length][value=day]")
    page.fill("[name=suspend-last_day]", "2020-01-01")
    staff.follow(page, '[name="do"][value="suspend"]')
    expect(page.locator(".errorlist")).to_be_visible()
    checker.check("case with an error")
    page.fill("[name=warn-words]", "Skriv inte så.")
    staff.follow(page, '[name="do"][value="warn"]')
    checker.check("question")
    staff.follow(page, '[name="do"][value="warn"]')
    staff.follow(page, '[name="do_and_close"][value="hide_message"]')
    staff.follow(page, '[name="do_and_close"][value="hide_message"]')
    staff.follow(page, "#result_list tbody a", -1)
    checker.check("closed case")
    assert checker.found == []


@IN_BOTH_LANGUAGES
def test_the_pages_of_an_operator(
    live_server: LiveServer, moa: Enrolment, page: Page, axe: str
) -> None:
    checker = Checker(page, axe)
    staff.sign_in(page, live_server.url, moa)
    page.goto(f"{live_server.url}/admin/accounts/account/")
    checker.check("reason for a list")
    staff.open_list(page, f"{live_server.url}/admin/accounts/account/")
    staff.follow(page, "#result_list tbody a")
    checker.check("account")
    staff.open_list(page, f"{live_server.url}/admin/accounts/auditentry/")
    checker.check("audit log")
    staff.follow(page, "#result_list tbody a")
    checker.check("audit entry")
    page.goto(f"{live_server.url}/admin/accounts/staffmember/")
    checker.check("staff")
    staff.follow(page, "#result_list a:text-is('ole')")
    checker.check("member of staff")
    assert checker.found == []
