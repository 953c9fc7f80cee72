"""A shared note in a browser that enforces its content policy, on screens of every kind.

Screenshots are written to `var/screenshots`.
"""

import pytest
from playwright.sync_api import Browser, Page, expect
from pytest_django.live_server_helper import LiveServer

from tests.browser import staff
from tests.browser.conftest import NEEDS_CHROMIUM, watch
from tests.conftest import Caller
from tests.notes.documents import RICH
from tests.notes.notes import PATH, added, shared

TITLE = "Biologi: fotosyntes och cellandning inför provet på fredag"
EVIL = "<img src=x onerror=\"document.title='run'\"><script>document.title='run'</script>"

pytestmark = NEEDS_CHROMIUM


@pytest.fixture
def links(live_server: LiveServer, elsa: Caller) -> dict[str, str]:
    """Pages of a rich note, of a malicious one, and of a revoked link."""
    gone = added(elsa)
    tokens = {
        "rich": shared(elsa, added(elsa, title=TITLE, content=RICH)),
        "evil": shared(elsa, added(elsa, title=EVIL, content=EVIL)),
        "gone": shared(elsa, gone),
    }
    elsa.delete(f"{PATH}/{gone['id']}/share")
    return {name: f"{live_server.url}/shared/{token}" for name, token in tokens.items()}


def opened(browser: Browser, problems: list[str], **options: object) -> Page:
    """A new window. Errors and warnings of its console and failed requests go to `problems`."""
    return watch(browser.new_context(**options).new_page(), problems)  # type: ignore[arg-type]


def test_it_can_be_read_on_every_screen(links: dict[str, str], browser: Browser) -> None:
    problems: list[str] = []
    backgrounds = {}
    for scheme in ("light", "dark"):
        for width in staff.SIZES:
            size = {"width": width, "height": 800}
            page = opened(browser, problems, viewport=size, color_scheme=scheme)
            page.goto(links["rich"])
            staff.screenshot(page, f"shared-note-{scheme}-{width}")
            assert staff.fits(page, width)
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
    assert staff.fits(page, 360)
    staff.screenshot(page, "shared-note-gone-360")
