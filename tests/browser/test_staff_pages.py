"""A moderator signs in and handles a report in a browser, on a wide and a narrow screen."""

from base64 import b32decode
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from django.conf import settings as django_settings
from django_otp.oath import totp
from playwright.sync_api import Page, expect
from pytest_django.fixtures import Settings
from pytest_django.live_server_helper import LiveServer

from accounts.models import AuditEntry
from accounts.services.staff import enrol_staff, set_roles
from social.models import Report
from tests.browser.conftest import NEEDS_CHROMIUM
from tests.concurrency import at_once
from tests.conftest import Caller
from tests.social_actions import dm_of, report, say
from upstream.simulator.server import Simulator

REASON = "A pupil asked for help."

pytestmark = NEEDS_CHROMIUM


@dataclass(frozen=True)
class StaffSite:
    """Its address, and the credentials of a moderator."""

    address: str
    password: str
    secret: bytes

    @property
    def code(self) -> str:
        return f"{totp(self.secret):06d}"


@pytest.fixture
def site(live_server: LiveServer, simulator: Simulator, settings: Settings) -> StaffSite:
    """Elsa has reported a message of Bo's; Moa is a moderator."""
    settings.SESSION_COOKIE_SECURE = settings.CSRF_COOKIE_SECURE = False
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    elsa, bo = Caller(), Caller()
    elsa.sign_in()
    bo.sign_in("bo.ek")
    dm = dm_of(elsa, "bo.ek")
    for n in range(1, 4):
        say(bo, dm, f"line-{n}")
    report(elsa, "message", say(bo, dm, "You are a word " + "long" * 60)["id"], "He is mean.")
    set_roles()
    enrolled = enrol_staff(username="moa", role="moderator")
    assert enrolled is not None
    return StaffSite(live_server.url, enrolled.password, _secret(enrolled.otpauth))


def _secret(otpauth: str) -> bytes:
    return b32decode(parse_qs(urlsplit(otpauth).query)["secret"][0])


def _screenshot(page: Page, name: str) -> None:
    folder = Path(django_settings.BASE_DIR) / "var" / "screenshots"
    page.screenshot(path=folder / f"{name}.png", full_page=True)


@pytest.mark.parametrize("width", [360, 1280])
def test_a_moderator_opens_a_report_with_a_reason_and_handles_it(
    site: StaffSite, page: Page, width: int
) -> None:
    problems: list[str] = []
    page.on("console", lambda m: problems.append(m.text) if m.type == "error" else None)
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.on("response", lambda r: problems.append(r.url) if r.status >= 400 else None)
    page.set_viewport_size({"width": width, "height": 800})
    page.goto(f"{site.address}/admin/")
    _screenshot(page, f"staff-sign-in-{width}")
    page.get_by_label("Name").fill("moa")
    page.get_by_label("Password").fill(site.password)
    page.get_by_label("Code").fill(site.code)
    page.get_by_role("button", name="Sign in").click()
    _screenshot(page, f"staff-front-{width}")
    page.get_by_role("link", name="Reports").first.click()
    _screenshot(page, f"staff-queue-{width}")
    page.locator("#result_list tbody a").first.click()
    expect(page.get_by_text("He is mean.")).to_have_count(0)
    page.get_by_label("Reason").fill(REASON)
    page.get_by_role("button", name="Open the report").click()
    expect(page.get_by_text("He is mean.")).to_be_visible()
    expect(page.get_by_text("line-3")).to_be_visible()
    _screenshot(page, f"staff-report-{width}")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.get_by_label("Reason").fill(REASON)
    page.get_by_role("button", name="Hide the message").click()
    expect(page.get_by_text("Hide the message: done.")).to_be_visible()
    assert problems == []
    # The browser's event loop runs in this thread, so the query runs in another.
    ((status, acts),) = at_once([_outcome])
    assert status == "handled"
    assert [act for act in acts if act not in ("list", "look")] == ["open", "hide_message"]


def _outcome() -> tuple[str, list[str]]:
    acts = AuditEntry.objects.order_by("pk").values_list("action", flat=True)
    return Report.objects.get().status, list(acts)
