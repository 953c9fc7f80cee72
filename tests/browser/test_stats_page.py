"""The page of statistics, on a phone and on a desk, in the light and in the dark."""

import shutil
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from playwright.sync_api import Page, sync_playwright
from pytest_django.live_server_helper import LiveServer

from stats import counters, totals
from stats.counters import count, flush

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(CHROMIUM is None, reason="Chromium is missing"),
    # The browser's own pipes and its profile are not ours to close.
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
]


@pytest.fixture
def address(live_server: LiveServer) -> Iterator[str]:
    counters._counters.reset()
    totals.clear_cached_totals()
    yield live_server.url
    counters._counters.reset()
    totals.clear_cached_totals()


@pytest.fixture
def used(address: str) -> str:
    """A service that four weeks of school have gone through."""
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


# Made after the numbers: Django lets nobody ask the database beside a running event loop.
@pytest.fixture
def page() -> Iterator[Page]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser.new_page()
        browser.close()


@pytest.fixture
def complaints(page: Page) -> list[str]:
    """What the browser's console says that is no good news."""
    heard: list[str] = []
    page.on("console", lambda m: heard.append(m.text) if m.type in {"error", "warning"} else None)
    page.on("pageerror", lambda error: heard.append(str(error)))
    page.on("requestfailed", lambda request: heard.append(request.url))
    return heard


def look(page: Page, address: str, width: int, scheme: str) -> None:
    page.set_viewport_size({"width": width, "height": 900})
    page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
    page.goto(f"{address}/stats")


@pytest.mark.parametrize("width", [360, 1280])
def test_it_fits_and_nothing_is_wrong(
    used: str, page: Page, complaints: list[str], width: int
) -> None:
    colours = set()
    for scheme in ("light", "dark"):
        look(page, used, width, scheme)
        for summary in page.locator("summary").all():
            summary.click()
        assert page.evaluate("document.documentElement.scrollWidth") == width
        assert page.locator("svg[role=img]").count() == 5
        # Neither chart nor text stands out of its drawing; hyphens and tails may touch its edge.
        assert page.evaluate(_OUTSIDE) == []
        colours.add(page.evaluate("getComputedStyle(document.body).backgroundColor"))
        colours.add(page.evaluate("getComputedStyle(document.querySelector('.bar')).fill"))
    assert len(colours) == 4  # the style sheets are there, and follow the reader
    assert complaints == []


_OUTSIDE = """
[...document.querySelectorAll("svg text, svg rect")].filter(part => {
  const drawing = part.closest("svg").getBoundingClientRect(), box = part.getBoundingClientRect();
  return box.left < drawing.left - 1 || box.right > drawing.right + 1
    || box.top < drawing.top - 1 || box.bottom > drawing.bottom + 1;
}).map(part => part.outerHTML)
"""


def test_it_says_when_there_is_nothing_yet(address: str, page: Page, complaints: list[str]) -> None:
    for width in (360, 1280):
        look(page, address, width, "light")
        assert page.evaluate("document.documentElement.scrollWidth") == width
        assert "Nothing has been counted yet" in page.inner_text("main")
        assert page.locator("svg").count() == 0
    assert complaints == []


def test_the_front_page_leads_there(address: str, page: Page, complaints: list[str]) -> None:
    page.goto(address)
    page.get_by_role("link", name="Anonymous statistics").click()
    assert page.title() == "Statistics – School wrapper"
    assert complaints == []
