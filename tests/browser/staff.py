"""Staff in a browser: their site, how they sign in, and what they look at."""

from base64 import b32decode
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

from django.conf import settings as django_settings
from django_otp.oath import totp
from playwright.sync_api import Page
from pytest_django.fixtures import Settings

from staff.services.members import Enrolment

LIST_REASON = "En årlig kontroll."
SIZES = (360, 1280)


def allow_plain_http(settings: Settings) -> None:
    """Staff sessions over HTTP."""
    settings.SESSION_COOKIE_SECURE = settings.CSRF_COOKIE_SECURE = False


def sign_in(page: Page, address: str, enrolled: Enrolment) -> None:
    """With both factors, in whatever language the browser asks for."""
    page.goto(f"{address}/admin/")
    page.fill("#id_username", enrolled.username)
    page.fill("#id_password", enrolled.password)
    secret = parse_qs(urlsplit(enrolled.otpauth).query)["secret"][0]
    page.fill("#id_otp_token", f"{totp(b32decode(secret)):06d}")
    # Waits until the page is loaded: leaving it earlier would be a failed request.
    with page.expect_navigation():
        page.click("#login-form [type=submit]")


def follow(page: Page, selector: str, which: int = 0) -> None:
    """Click on what leads to another page, and wait for that. (-1: the last of several.)"""
    with page.expect_navigation():
        page.locator(selector).nth(which).click()


def open_list(page: Page, address: str) -> None:
    """A list that asks for a reason first."""
    page.goto(address)
    page.fill("[name=list_reason]", LIST_REASON)
    with page.expect_navigation():
        page.click("#content-main [type=submit]")


def fits(page: Page, width: int) -> bool:
    """Whether nothing has to be scrolled sideways."""
    return bool(page.evaluate("document.documentElement.scrollWidth") <= width)


def assert_fits(page: Page, name: str) -> None:
    """Nothing has to be scrolled sideways, neither on a narrow nor on a wide screen."""
    before = page.viewport_size
    for width in SIZES:
        page.set_viewport_size({"width": width, "height": 800})
        screenshot(page, f"{name}-{width}")
        assert fits(page, width), (name, width)
    if before:
        page.set_viewport_size(before)


def count_clicks(page: Page) -> None:
    """From the next page on, also across pages."""
    page.context.add_init_script(
        "addEventListener('click', () =>"
        " sessionStorage.setItem('clicks', 1 + Number(sessionStorage.getItem('clicks'))), true)"
    )


def clicks(page: Page) -> int:
    return int(page.evaluate("Number(sessionStorage.getItem('clicks'))"))


def forget_clicks(page: Page) -> None:
    page.evaluate("sessionStorage.removeItem('clicks')")


def screenshot(page: Page, name: str) -> None:
    folder = Path(django_settings.BASE_DIR) / "var" / "screenshots"
    page.screenshot(path=folder / f"{name}.png", full_page=True)
