"""The statistics page in a browser, on wide and narrow screens, light and dark."""

from datetime import UTC, datetime, timedelta
from itertools import product
from typing import Literal

import pytest
import time_machine
from playwright.sync_api import Page
from pytest_django.live_server_helper import LiveServer

from stats.counters import count, flush
from tests.browser import staff
from tests.browser.conftest import NEEDS_CHROMIUM

SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
pytestmark = NEEDS_CHROMIUM


@pytest.fixture
def address(live_server: LiveServer, nothing_counted: None) -> str:
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
    return live_server.url


_OUTSIDE = """
[...document.querySelectorAll("svg text, svg rect")].filter(part => {
  const drawing = part.closest("svg").getBoundingClientRect(), box = part.getBoundingClientRect();
  return box.left < drawing.left - 1 || box.right > drawing.right + 1
    || box.top < drawing.top - 1 || box.bottom > drawing.bottom + 1;
}).map(part => part.outerHTML)
"""


def test_it_fits_and_nothing_is_wrong(address: str, page: Page, problems: list[str]) -> None:
    colours = set()
    for width, scheme in product(staff.SIZES, SCHEMES):
        page.set_viewport_size({"width": width, "height": 900})
        page.emulate_media(color_scheme=scheme)
        page.goto(f"{address}/stats")
        for summary in page.locator("summary").all():
            summary.click()
        assert staff.fits(page, width)
        assert page.locator("svg[role=img]").count() == 5
        # No bar or text is outside its drawing, with a tolerance of one pixel.
        assert page.evaluate(_OUTSIDE) == []
        colours.add(page.evaluate("getComputedStyle(document.body).backgroundColor"))
        colours.add(page.evaluate("getComputedStyle(document.querySelector('.bar')).fill"))
    assert len(colours) == 4  # the style sheets were loaded and follow the color scheme
    assert problems == []
