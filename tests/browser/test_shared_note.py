"""A shared note in a browser that enforces its content policy, on screens of every kind.

Screenshots are written to `var/screenshots`.
"""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import NEEDS_CHROMIUM, watch
from tests.conftest import Caller
from tests.notes.documents import RICH
from tests.notes.notes import PATH, added, shared
from tests.service_process import ROOT, running
from upstream.simulator.server import Simulator

SCREENSHOTS = ROOT / "var" / "screenshots"
TITLE = "Biologi: fotosyntes och cellandning inför provet på fredag"
EVIL = "<img src=x onerror=\"document.title='run'\"><script>document.title='run'</script>"

pytestmark = NEEDS_CHROMIUM


@pytest.fixture
def links(
    transactional_db: None, elsa: Caller, simulator: Simulator, tmp_path: Path
) -> Iterator[dict[str, str]]:
    """Pages of a server in another process: a rich note, a malicious one, a revoked link."""
    gone = added(elsa)
    tokens = {
        "rich": shared(elsa, added(elsa, title=TITLE, content=RICH)),
        "evil": shared(elsa, added(elsa, title=EVIL, content=EVIL)),
        "gone": shared(elsa, gone),
    }
    elsa.delete(f"{PATH}/{gone['id']}/share")
    SCREENSHOTS.mkdir(parents=True, exist_ok=True)
    with running(tmp_path, simulator.url) as server:
        yield {name: f"{server.url}/shared/{token}" for name, token in tokens.items()}


def opened(browser: Browser, problems: list[str], **options: object) -> Page:
    """A new window. Errors and warnings of its console and failed requests go to `problems`."""
    return watch(browser.new_context(**options).new_page(), problems)  # type: ignore[arg-type]


def test_it_can_be_read_on_every_screen(links: dict[str, str], browser: Browser) -> None:
    problems: list[str] = []
    backgrounds = {}
    for scheme in ("light", "dark"):
        for width in (360, 1280):
            size = {"width": width, "height": 800}
            page = opened(browser, problems, viewport=size, color_scheme=scheme)
            page.goto(links["rich"])
            page.screenshot(path=SCREENSHOTS / f"shared-note-{scheme}-{width}.png", full_page=True)
            assert page.evaluate("document.documentElement.scrollWidth") == width
            backgrounds[scheme] = page.evaluate("getComputedStyle(document.body).backgroundColor")
            # Wide elements scroll inside the page.
            for wide in ("pre", ".wide"):
                edges = page.locator(wide).bounding_box()
                assert edges is not None
                assert edges["x"] + edges["width"] <= width
    assert backgrounds["light"] != backgrounds["dark"]
    page.emulate_media(media="print")
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    after = "getComputedStyle(document.querySelector('article a'), '::after').content"
    assert "https://www.skolverket.se" in page.evaluate(after)
    assert page.pdf(format="A4").startswith(b"%PDF")
    assert problems == []


def test_it_is_complete_without_scripts(links: dict[str, str], browser: Browser) -> None:
    problems: list[str] = []
    page = opened(browser, problems, java_script_enabled=False)
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
    assert problems == []


def test_no_script_of_a_note_runs_and_a_dead_link_is_an_error_page(
    links: dict[str, str], browser: Browser
) -> None:
    problems: list[str] = []
    requested: list[str] = []
    page = opened(browser, problems)
    page.on("request", lambda request: requested.append(request.url))
    page.goto(links["evil"])
    expect(page).to_have_title(EVIL)
    expect(page.get_by_role("heading", level=1)).to_have_text(EVIL)
    expect(page.get_by_role("article")).to_have_text(EVIL)
    assert [url.rpartition("/")[2] for url in requested[1:]] == ["shared_note.css"]
    assert problems == []

    page = opened(browser, [], viewport={"width": 360, "height": 800})
    answer = page.goto(links["gone"])
    assert answer is not None
    assert answer.status == 404
    expect(page.get_by_role("heading", level=1)).to_have_text(
        "This does not exist, or you cannot see it."
    )
    assert page.evaluate("document.documentElement.scrollWidth") == 360
    page.screenshot(path=SCREENSHOTS / "shared-note-gone-360.png")
