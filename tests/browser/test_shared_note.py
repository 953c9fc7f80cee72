"""A shared note in a real browser, under our own policy: on a phone, at a desk, in the dark.

Pictures of it are left in `var/screenshots`.
"""

import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests.conftest import Caller
from tests.notes.documents import RICH
from tests.notes.notes import PATH, added, shared
from tests.service_process import ROOT, running
from upstream.simulator.server import Simulator

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
SCREENSHOTS = ROOT / "var" / "screenshots"
TITLE = "Biologi: fotosyntes och cellandning inför provet på fredag"
EVIL = "<img src=x onerror=\"document.title='run'\"><script>document.title='run'</script>"

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(CHROMIUM is None, reason="Chromium is missing"),
    # The browser's own pipes and its profile are not ours to close.
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
]


@pytest.fixture
def links(
    transactional_db: None, elsa: Caller, simulator: Simulator, tmp_path: Path
) -> Iterator[dict[str, str]]:
    """Pages of a server of its own: a rich note, one of evil words, one that was revoked."""
    gone = added(elsa)
    tokens = {
        "rich": shared(elsa, added(elsa, title=TITLE, content=RICH)),
        "evil": shared(elsa, added(elsa, title=EVIL, content=EVIL)),
        "gone": shared(elsa, gone),
    }
    elsa.delete(f"{PATH}/{gone['id']}/share")
    with running(tmp_path, simulator.url) as server:
        yield {name: f"{server.url}/shared/{token}" for name, token in tokens.items()}


@pytest.fixture
def browser(links: dict[str, str]) -> Iterator[Browser]:
    """Opened after all that the test asks the database: its loop runs in this thread."""
    del links
    SCREENSHOTS.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser
        browser.close()


def opened(browser: Browser, heard: list[str], **words: object) -> Page:
    """A new window; `heard` gets what its console says that is no good news."""
    page = browser.new_context(**words).new_page()  # type: ignore[arg-type]
    page.on("console", lambda m: heard.append(m.text) if m.type in {"error", "warning"} else None)
    page.on("pageerror", lambda error: heard.append(str(error)))
    page.on("requestfailed", lambda request: heard.append(request.url))
    return page


def test_it_can_be_read_on_every_screen(browser: Browser, links: dict[str, str]) -> None:
    heard: list[str] = []
    papers = {}
    for scheme in ("light", "dark"):
        for width in (360, 1280):
            size = {"width": width, "height": 800}
            page = opened(browser, heard, viewport=size, color_scheme=scheme)
            page.goto(links["rich"])
            page.screenshot(path=SCREENSHOTS / f"shared-note-{scheme}-{width}.png", full_page=True)
            assert page.evaluate("document.documentElement.scrollWidth") == width
            papers[scheme] = page.evaluate("getComputedStyle(document.body).backgroundColor")
            # What is wider than a phone scrolls by itself.
            for wide in ("pre", ".wide"):
                edges = page.locator(wide).bounding_box()
                assert edges is not None
                assert edges["x"] + edges["width"] <= width
    assert papers["light"] != papers["dark"]
    page.emulate_media(media="print")
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    after = "getComputedStyle(document.querySelector('article a'), '::after').content"
    assert "https://www.skolverket.se" in page.evaluate(after)
    assert page.pdf(format="A4").startswith(b"%PDF")
    assert heard == []


def test_it_is_complete_without_scripts(browser: Browser, links: dict[str, str]) -> None:
    heard: list[str] = []
    page = opened(browser, heard, java_script_enabled=False)
    page.goto(links["rich"])
    expect(page).to_have_title(TITLE)
    expect(page.get_by_role("heading", level=1)).to_have_text(TITLE)
    expect(page.get_by_role("heading", level=2)).to_have_text("Fotosyntesen")
    expect(page.get_by_role("article").get_by_role("list")).to_have_count(4)
    boxes = page.get_by_role("checkbox")
    expect(boxes).to_have_count(2)
    expect(boxes.first).to_be_checked()
    expect(boxes.first).to_be_disabled()
    expect(page.get_by_role("cell", name="Glukos")).to_be_visible()
    expect(page.locator("time")).to_have_attribute("datetime", re.compile(r"^\d{4}-\d\d-\d\dT"))
    outside = page.get_by_role("link", name="Skolverkets sida")
    expect(outside).to_have_attribute("rel", "noopener noreferrer nofollow ugc")
    assert heard == []


def test_no_script_of_a_note_runs_and_a_dead_link_is_an_error_page(
    browser: Browser, links: dict[str, str]
) -> None:
    heard: list[str] = []
    asked: list[str] = []
    page = opened(browser, heard)
    page.on("request", lambda request: asked.append(request.url))
    page.goto(links["evil"])
    expect(page).to_have_title(EVIL)
    expect(page.get_by_role("heading", level=1)).to_have_text(EVIL)
    expect(page.get_by_role("article")).to_have_text(EVIL)
    assert [url.rpartition("/")[2] for url in asked[1:]] == ["shared_note.css"]
    assert heard == []

    page = opened(browser, [], viewport={"width": 360, "height": 800})
    answer = page.goto(links["gone"])
    assert answer is not None
    assert answer.status == 404
    expect(page.get_by_role("heading", level=1)).to_have_text("There is nothing here.")
    assert page.evaluate("document.documentElement.scrollWidth") == 360
    page.screenshot(path=SCREENSHOTS / "shared-note-gone-360.png")
