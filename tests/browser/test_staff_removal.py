"""An operator opens a list with a reason and removes a member of staff."""

import pytest
from playwright.sync_api import Page, expect
from pytest_django.fixtures import Settings
from pytest_django.live_server_helper import LiveServer

from staff.models import AuditEntry
from staff.services.members import Enrolment, enrol_staff, set_roles
from tests.browser import staff
from tests.browser.conftest import NEEDS_CHROMIUM
from tests.conftest import Caller
from upstream.simulator.server import Simulator

pytestmark = NEEDS_CHROMIUM


@pytest.fixture
def ole(live_server: LiveServer, simulator: Simulator, settings: Settings) -> Enrolment:
    """Ole is an operator, Moa a moderator, and Elsa has an account."""
    staff.allow_plain_http(settings)
    Caller().sign_in()
    set_roles()
    enrol_staff(username="moa", role="moderator")
    return enrol_staff(username="ole", role="operator")


def test_an_operator_opens_a_list_and_removes_a_member(
    ole: Enrolment, live_server: LiveServer, page: Page, problems: list[str]
) -> None:
    page.set_viewport_size({"width": staff.SIZES[0], "height": 800})
    staff.sign_in(page, live_server.url, ole)
    page.get_by_role("link", name="Accounts", exact=True).last.click()
    expect(page.get_by_text("elsa.nordvall")).to_have_count(0)
    page.get_by_label("Reason").fill("A yearly check.")
    page.get_by_role("button", name="Open the list").click()
    expect(page.get_by_text("elsa.nordvall")).to_be_visible()
    page.goto(f"{live_server.url}/admin/accounts/staffmember/")
    page.get_by_role("link", name="moa").click()
    page.get_by_label("Reason").fill("Left the school.")
    page.get_by_label("Remove moa from staff").check()
    staff.assert_fits(page, "staff-removal")
    page.get_by_role("button", name="Remove", exact=True).click()
    expect(page.get_by_text("moa is removed from staff.")).to_be_visible()
    assert problems == []
    acts = [each.action for each in AuditEntry.objects.order_by("pk")]
    assert acts == ["list", "list", "look", "remove_staff", "list"]
