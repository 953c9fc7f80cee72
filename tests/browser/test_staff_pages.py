"""A moderator's way in a browser, from the sign-in to a handled report; on a phone too."""

import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from django.conf import settings as django_settings
from django_otp.oath import totp
from playwright.sync_api import Page, expect, sync_playwright
from pytest_django.fixtures import Settings
from pytest_django.live_server_helper import LiveServer

from accounts.models import AuditEntry
from accounts.services.staff import enrol_staff, set_roles
from social.models import Report
from tests.conftest import Caller
from tests.crowd import at_once
from tests.staff.desk import dm_of, report, say
from upstream.simulator.server import Simulator

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
REASON = "A pupil asked for help."

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(CHROMIUM is None, reason="Chromium is missing"),
    # The browser's own pipes and its profile are not ours to close.
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
]


@dataclass(frozen=True)
class Desk:
    """Where it is, and a moderator who may sit at it."""

    address: str
    password: str
    secret: bytes

    @property
    def code(self) -> str:
        return f"{totp(self.secret):06d}"


@pytest.fixture
def desk(live_server: LiveServer, simulator: Simulator, settings: Settings) -> Desk:
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
    return Desk(live_server.url, enrolled.password, _secret(enrolled.otpauth))


def _secret(otpauth: str) -> bytes:
    from base64 import b32decode

    return b32decode(parse_qs(urlsplit(otpauth).query)["secret"][0])


@pytest.fixture
def page(desk: Desk) -> Iterator[Page]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser.new_page()
        browser.close()


def _shoot(page: Page, name: str) -> None:
    folder = Path(django_settings.BASE_DIR) / "var" / "screenshots"
    page.screenshot(path=folder / f"{name}.png", full_page=True)


@pytest.mark.parametrize("width", [360, 1280])
def test_a_moderator_opens_a_report_with_a_reason_and_handles_it(
    page: Page, desk: Desk, width: int
) -> None:
    complaints: list[str] = []
    page.on("console", lambda m: complaints.append(m.text) if m.type == "error" else None)
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("response", lambda r: complaints.append(r.url) if r.status >= 400 else None)
    page.set_viewport_size({"width": width, "height": 800})
    page.goto(f"{desk.address}/admin/")
    _shoot(page, f"desk-sign-in-{width}")
    page.get_by_label("Name").fill("moa")
    page.get_by_label("Password").fill(desk.password)
    page.get_by_label("Code").fill(desk.code)
    page.get_by_role("button", name="Sign in").click()
    _shoot(page, f"desk-front-{width}")
    page.get_by_role("link", name="Reports").first.click()
    _shoot(page, f"desk-queue-{width}")
    page.locator("#result_list tbody a").first.click()
    expect(page.get_by_text("He is mean.")).to_have_count(0)
    page.get_by_label("Why").fill(REASON)
    page.get_by_role("button", name="Open the report").click()
    expect(page.get_by_text("He is mean.")).to_be_visible()
    expect(page.get_by_text("line-3")).to_be_visible()
    _shoot(page, f"desk-report-{width}")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.get_by_label("Why").fill(REASON)
    page.get_by_role("button", name="Hide the message").click()
    expect(page.get_by_text("Hide the message: done.")).to_be_visible()
    assert complaints == []
    # The browser's loop runs in this thread: the database is asked in another.
    ((status, acts),) = at_once([_outcome])
    assert status == "handled"
    assert [act for act in acts if act not in ("list", "look")] == ["open", "hide_message"]


def _outcome() -> tuple[str, list[str]]:
    acts = AuditEntry.objects.order_by("pk").values_list("action", flat=True)
    return Report.objects.get().status, list(acts)
