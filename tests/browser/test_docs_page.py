"""The page to read and try the API, in a browser that enforces its content policy."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import NEEDS_CHROMIUM
from tests.wrapper_project import servers

# Milliseconds: the page loads the whole schema.
LOADING = 20_000
pytestmark = NEEDS_CHROMIUM


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A service with a front page, which the web app would take."""
    with servers.running(servers.HTTP, tmp_path_factory.mktemp("data"), WEB_APP="off") as server:
        yield f"http://127.0.0.1:{server.port}"


def test_the_api_is_shown_and_can_be_tried(
    page: Page, address: str, problems: list[str], tmp_path: Path
) -> None:
    elsewhere: list[str] = []
    page.on(
        "request",
        lambda r: None if r.url.startswith((address, "data:")) else elsewhere.append(r.url),
    )
    page.goto(f"{address}/api/docs")
    operation = page.locator("#operations-service-version")
    expect(page.locator(".info .title")).to_contain_text("School wrapper", timeout=LOADING)
    operation.click()
    operation.get_by_role("button", name="Try it out").click()
    operation.get_by_role("button", name="Execute").click()
    expect(operation.locator(".live-responses-table .response-col_status").last).to_contain_text(
        "200"
    )
    assert elsewhere == []
    assert problems == []


def test_the_front_page_leads_there(page: Page, address: str, problems: list[str]) -> None:
    page.goto(address)
    page.get_by_role("link", name="Read and try").click()
    expect(page.locator(".info .title")).to_contain_text("School wrapper", timeout=LOADING)
    assert problems == []


@pytest.mark.parametrize("width", [360, 1280])
def test_the_front_page_fits_every_screen(
    page: Page, address: str, problems: list[str], width: int
) -> None:
    page.set_viewport_size({"width": width, "height": 800})
    page.goto(address)

    assert page.evaluate("document.documentElement.scrollWidth") == width
    # The policy allowed the style sheet.
    assert page.evaluate("getComputedStyle(document.querySelector('ul')).listStyleType") == "none"
    assert problems == []
