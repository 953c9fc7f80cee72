"""The statistics page in a browser, on wide and narrow screens, light and dark."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from playwright.sync_api import Page, expect
from pytest_django.fixtures import Settings
from pytest_django.live_server_helper import LiveServer

from stats import counters, totals
from stats.counters import count, flush
from tests.browser.conftest import NEEDS_CHROMIUM

pytestmark = NEEDS_CHROMIUM


@pytest.fixture
def address(live_server: LiveServer) -> Iterator[str]:
    counters._counters.reset()
    totals.latest_publication.cache_clear()
    yield live_server.url
    counters._counters.reset()
    totals.latest_publication.cache_clear()


@pytest.fixture
def used(address: str) -> str:
    """A service with four weeks of counts."""
    first = datetime.now(UTC).replace(hour=5, minute=30) - timedelta(days=27)
    for day in range(28):
        for hour in range(0, 17, 2):
            with time_machine.travel(first + timedelta(days=day, hours=hour), tick=False):
                for account in range(3 + 2 * (day * 7 + hour * 5) % 23):
                    count("login", account=account, school="bjorkdalen")
                    count("message", account=account, times=hour + 1)
    for school, people in (("nyvang", 40), ("a" * 63, 12), ("liten", 4)):
        for account in range(people):
            count("login", account=1000 + account, school=school, times=people)
    count("api_call", times=1234567)
    assert flush()
    return address


def look(page: Page, address: str, width: int, scheme: str) -> None:
    page.set_viewport_size({"width": width, "height": 900})
    page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
    page.goto(f"{address}/stats")


@pytest.mark.parametrize("width", [360, 1280])
def test_it_fits_and_nothing_is_wrong(
    used: str, page: Page, problems: list[str], width: int
) -> None:
    colours = set()
    for scheme in ("light", "dark"):
        look(page, used, width, scheme)
        for summary in page.locator("summary").all():
            summary.click()
        assert page.evaluate("document.documentElement.scrollWidth") == width
        assert page.locator("svg[role=img]").count() == 5
        # No bar or text is outside its drawing, with a tolerance of one pixel.
        assert page.evaluate(_OUTSIDE) == []
        colours.add(page.evaluate("getComputedStyle(document.body).backgroundColor"))
        colours.add(page.evaluate("getComputedStyle(document.querySelector('.bar')).fill"))
    assert len(colours) == 4  # the style sheets were loaded and follow the color scheme
    assert problems == []


_OUTSIDE = """
[...document.querySelectorAll("svg text, svg rect")].filter(part => {
  const drawing = part.closest("svg").getBoundingClientRect(), box = part.getBoundingClientRect();
  return box.left < drawing.left - 1 || box.right > drawing.right + 1
    || box.top < drawing.top - 1 || box.bottom > drawing.bottom + 1;
}).map(part => part.outerHTML)
"""


def test_it_says_when_there_is_nothing_yet(address: str, page: Page, problems: list[str]) -> None:
    for width in (360, 1280):
        look(page, address, width, "light")
        assert page.evaluate("document.documentElement.scrollWidth") == width
        assert "Nothing has been counted yet" in page.inner_text("main")
        assert page.locator("svg").count() == 0
    assert problems == []


def test_the_front_page_leads_there(
    address: str, page: Page, problems: list[str], settings: Settings
) -> None:
    settings.WEB_APP = False  # which would take the front page
    page.goto(address)
    page.get_by_role("link", name="Anonymous statistics").click()
    expect(page).to_have_title("Statistics – School wrapper")
    assert problems == []
