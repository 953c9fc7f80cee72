"""The page to read and try the contract, in a real browser under our own policy."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect, sync_playwright

from tests.wrapper_project import servers

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(CHROMIUM is None, reason="Chromium is missing"),
    # The browser's own pipes and its profile are not ours to close.
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
]


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with servers.running(servers.HTTP, tmp_path_factory.mktemp("data")) as port:
        yield f"http://127.0.0.1:{port}"


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


def test_the_api_is_shown_and_can_be_tried(
    page: Page, address: str, complaints: list[str], tmp_path: Path
) -> None:
    elsewhere: list[str] = []
    page.on(
        "request",
        lambda r: None if r.url.startswith((address, "data:")) else elsewhere.append(r.url),
    )
    page.goto(f"{address}/api/docs")
    operation = page.locator("#operations-service-version")
    expect(page.locator(".info .title")).to_contain_text("School wrapper")
    operation.click()
    operation.get_by_role("button", name="Try it out").click()
    operation.get_by_role("button", name="Execute").click()
    expect(operation.locator(".live-responses-table .response-col_status").last).to_contain_text(
        "200"
    )
    assert elsewhere == []
    assert complaints == []


def test_the_front_page_leads_there(page: Page, address: str, complaints: list[str]) -> None:
    page.goto(address)
    page.get_by_role("link", name="Read and try").click()
    expect(page.locator(".info .title")).to_contain_text("School wrapper")
    assert complaints == []


@pytest.mark.parametrize("width", [360, 1280])
def test_the_front_page_fits_every_screen(
    page: Page, address: str, complaints: list[str], width: int
) -> None:
    page.set_viewport_size({"width": width, "height": 800})
    page.goto(address)

    assert page.evaluate("document.documentElement.scrollWidth") == width
    # The style sheet is there: the policy let it in.
    assert page.evaluate("getComputedStyle(document.querySelector('ul')).listStyleType") == "none"
    assert complaints == []
