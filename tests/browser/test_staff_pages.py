"""A moderator signs in and handles a report in a browser, on a wide and a narrow screen."""

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import pytest
from django.utils.timezone import localtime
from playwright.sync_api import Browser, Page, expect
from pytest_django.fixtures import Settings
from pytest_django.live_server_helper import LiveServer

from accounts.timestamps import milliseconds
from social.models import Case, Message
from staff.models import AuditEntry
from staff.services.members import Enrolment, enrol_staff, set_roles
from tests.browser import staff
from tests.browser.conftest import NEEDS_CHROMIUM, watch
from tests.conftest import Caller
from tests.social_actions import dm_of, report, say
from upstream.simulator.server import Simulator

REASON = "En elev bad om hjälp."
WARNING = "Skriv inte så till någon. " + "å" * 474
SUSPENSION = "Du har hotat någon."
NOTE = "Ring hem på måndag."
CONTACT = "rektor@skola.example"
NARROW, WIDE = staff.SIZES
LAST_DAY, LAST_DAY_READ = "2030-06-01", "1 juni 2030"
HIDE_AND_CLOSE = "Dölj meddelandet, och stäng ärendet"
# The midnight that ends it, in Stockholm.
AFTER_LAST_DAY = datetime(2030, 6, 1, 22, tzinfo=UTC)
BEFORE_THE_REPORT = "Jag ser dig"
FROM_THE_REPORT, AFTER_THE_REPORT = "Jag hittar dig " + "lång" * 60, "Ha en bra dag"

pytestmark = NEEDS_CHROMIUM


@dataclass(frozen=True)
class Site:
    """Its address, its staff, and who reported whom."""

    address: str
    moa: Enrolment
    ada: Enrolment
    elsa: Caller
    bo: Caller
    message: dict[str, Any]


@pytest.fixture
def site(live_server: LiveServer, simulator: Simulator, settings: Settings) -> Site:
    """Elsa has reported a message that Bo edited before and after; Moa is a moderator, Ada an
    auditor."""
    staff.allow_plain_http(settings)
    settings.CONTACT = CONTACT
    elsa, bo = Caller(), Caller()
    elsa.sign_in()
    bo.sign_in("bo.ek")
    dm = dm_of(elsa, "bo.ek")
    for n in range(1, 4):
        say(bo, dm, f"line-{n}")
    message = say(bo, dm, BEFORE_THE_REPORT)
    path = f"/api/conversations/{dm}/{message['id']}"
    bo.patch(path, {"action": "edit", "content": FROM_THE_REPORT})
    report(elsa, "message", message["id"], "Han är dum.")
    bo.patch(path, {"action": "edit", "content": AFTER_THE_REPORT})
    set_roles()
    moa = enrol_staff(username="moa", role="moderator")
    ada = enrol_staff(username="ada", role="auditor")
    return Site(live_server.url, moa, ada, elsa, bo, message)


def _page(browser: Browser, width: int, problems: list[str]) -> Page:
    """A window of somebody who reads Swedish."""
    size = {"width": width, "height": 800}
    context = browser.new_context(locale="sv-SE", viewport=size)  # type: ignore[arg-type]
    return watch(context.new_page(), problems)


def _press(page: Page, name: str, value: str, *, asked: str = "") -> None:
    """A button of the case, the same one on the page that asks (`asked` is what it says there), and
    wait for what the site says."""
    button = f'button[name="{name}"][value="{value}"]'
    page.click(button)
    if asked:
        expect(page.locator(f".question {button}")).to_have_text(asked)
        page.click(button)
    expect(page.locator(".messagelist .success")).to_have_count(1)


def _suspend(page: Page) -> None:
    page.check("[name=suspend-length][value=day]")
    page.fill("[name=suspend-last_day]", LAST_DAY)
    page.fill("[name=suspend-words]", SUSPENSION)
    _press(page, "do", "suspend", asked=f"Stäng av Bo Ek (bo.ek) till och med {LAST_DAY_READ}")


def _open_the_case(page: Page) -> None:
    page.locator(".waiting a").first.click()
    expect(page.get_by_text("Han är dum.")).to_have_count(0)
    page.fill("[name=reason]", REASON)
    page.click("[name=open]")
    expect(page.get_by_text("Han är dum.")).to_be_visible()


def test_a_moderator_handles_a_case_with_four_clicks_and_one_reason(
    site: Site, browser: Browser
) -> None:
    problems: list[str] = []
    page = _page(browser, NARROW, problems)
    staff.count_clicks(page)
    staff.sign_in(page, site.address, site.moa)
    staff.forget_clicks(page)
    _open_the_case(page)
    _press(page, "do_and_close", "hide_message", asked=HIDE_AND_CLOSE)
    assert staff.clicks(page) == 4
    assert problems == []
    assert Case.objects.get().status == "closed"
    acts = AuditEntry.objects.order_by("pk").values_list("action", flat=True)
    assert [act for act in acts if act not in ("list", "look")] == ["open", "hide_message", "close"]


def test_a_moderator_sees_an_edit_and_does_everything_in_swedish(
    site: Site, browser: Browser
) -> None:
    problems: list[str] = []
    page = _page(browser, WIDE, problems)
    staff.sign_in(page, site.address, site.moa)
    expect(page.locator("html")).to_have_attribute("lang", "sv")
    expect(page.locator(".counts strong")).to_have_text(["1", "1"])
    staff.assert_fits(page, "staff-front")
    _open_the_case(page)
    reported = page.locator(".lines .reported")
    expect(reported).to_have_count(1)
    texts = [BEFORE_THE_REPORT, FROM_THE_REPORT, AFTER_THE_REPORT]
    expect(reported.locator(".text")).to_have_text(texts)
    expect(reported.locator(".now .who")).to_contain_text(_edited_at())
    for n in range(1, 4):
        expect(page.get_by_text(f"line-{n}")).to_be_visible()
    staff.assert_fits(page, "staff-case")

    _press(page, "do", "hide_message", asked="Dölj meddelandet")
    assert _message(site)["deletedAt"]
    page.fill("[name=warn-words]", WARNING)
    _press(page, "do", "warn", asked="Varna Bo Ek (bo.ek)")
    assert _warnings_of(site.bo) == [WARNING]
    _suspend(page)
    refused = site.bo.get("/api/profile")
    body = refused.json()
    assert (refused.status_code, body["code"]) == (403, "account_suspended")
    assert (body["until"], body["reason"]) == (milliseconds(AFTER_LAST_DAY), SUSPENSION)
    assert body["contact"] == CONTACT
    expect(page.locator("ul.done > li")).to_have_count(3)
    staff.assert_fits(page, "staff-acted")
    page.fill("[name=close-note]", NOTE)
    _press(page, "do", "close")
    staff.assert_fits(page, "staff-cases")
    page.locator("#result_list tbody a").first.click()
    expect(page.get_by_text(NOTE)).to_be_visible()
    expect(page.locator("button[name=do]")).to_have_count(2)  # show it again, lift
    staff.assert_fits(page, "staff-closed")
    assert problems == []


def test_the_audit_log_says_who_did_what_to_whom_and_why(site: Site, browser: Browser) -> None:
    problems: list[str] = []
    moas = _page(browser, NARROW, problems)
    staff.sign_in(moas, site.address, site.moa)
    _open_the_case(moas)
    _press(moas, "do_and_close", "hide_message", asked=HIDE_AND_CLOSE)
    page = _page(browser, NARROW, problems)
    staff.sign_in(page, site.address, site.ada)
    staff.open_list(page, f"{site.address}/admin/accounts/auditentry/?q=bo.ek&action=hide_message")
    row = page.locator("#result_list tbody tr")
    expect(row).to_have_count(1)
    expect(row.locator(".field-by")).to_have_text("moa")
    expect(row.locator(".field-account_name")).to_have_text("bo.ek")
    expect(row.locator(".field-reason")).to_have_text(REASON)
    case = Case.objects.get().pk.hex
    expect(row.locator(".field-target_label")).to_contain_text(case)
    staff.assert_fits(page, "staff-audit")
    row.locator("a").first.click()
    expect(page.locator(".field-reason .readonly")).to_have_text(REASON)
    staff.assert_fits(page, "staff-audit-entry")
    assert problems == []


def _edited_at() -> str:
    """The hour and minute of the edit, in Stockholm."""
    edited = Message.objects.exclude(edited_at=None).get().edited_at
    return f"{localtime(edited):%H:%M}"


def _message(site: Site) -> dict[str, Any]:
    conversation = site.message["conversationId"]
    answer = site.elsa.get(f"/api/conversations/{conversation}/messages").json()
    found: dict[str, Any] = next(m for m in answer["messages"] if m["id"] == site.message["id"])
    return found


def _warnings_of(caller: Caller) -> list[str]:
    profile = caller.get("/api/profile").json()["profile"]
    return [warning["text"] for warning in profile["warnings"]]
