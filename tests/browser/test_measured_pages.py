"""What `benchmarks.pages` measures, on a page that is known."""

import subprocess
import sys

from playwright.sync_api import Browser

from benchmarks.pages import ROUTES
from benchmarks.processes import ROOT
from benchmarks.tasks import felt
from tests.browser.conftest import NEEDS_CHROMIUM

pytestmark = NEEDS_CHROMIUM

# The first button is busy for 80 ms before the browser can draw what it shows.
PAGE = """<button onclick="const end = performance.now() + 80;
  while (performance.now() < end); document.querySelector('p').hidden = false">Wait</button>
<input aria-label="Word"><p hidden>Done</p>"""


def test_a_slow_tap_is_felt_and_typing_is_no_tap(browser: Browser) -> None:
    page = browser.new_context(has_touch=True).new_page()
    page.set_content(PAGE)
    taps, slowest = felt(page, ["button", "p"], slower=1)
    assert taps == 1
    assert slowest >= 80
    page.set_content(PAGE)
    taps, slowest = felt(page, ["input", "type:abc", "button", "p"], slower=1)
    assert taps == 1


def test_it_says_how_to_use_it() -> None:
    command = [sys.executable, "-m", "benchmarks.pages", "--help"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    assert "--lighthouse" in done.stdout
    assert ROUTES.exists()
