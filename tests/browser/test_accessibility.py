"""axe finds nothing to object to on the public pages, in both themes and on both widths, in both
languages; what scrolls can be reached with the keyboard, and every paragraph has its direction."""

import pytest
from playwright.sync_api import Page, expect
from pytest_django.fixtures import Settings
from pytest_django.live_server_helper import LiveServer

from stats.counters import count, flush
from stats.models import Publication
from tests.browser.axe_checker import IN_BOTH_LANGUAGES, NEEDS_AXE, Checker
from tests.conftest import Caller
from tests.notes.documents import RICH, doc, node, paragraph, text
from tests.notes.notes import added, shared

# Milliseconds: the page loads the whole schema.
LOADING = 20_000
HEBREW, ARABIC = "זהו שיעור על פוטוסינתזה.", "هذا درس عن التمثيل الضوئي."
MIXED = doc(
    node("heading", text(HEBREW), level=2),
    paragraph(ARABIC),
    paragraph("Samma sak på svenska."),
    node("bulletList", node("listItem", paragraph(HEBREW))),
    node("codeBlock", text("x" * 300)),
    node("codeBlock", text("kort")),
)

pytestmark = NEEDS_AXE


@pytest.fixture
def address(live_server: LiveServer, settings: Settings, nothing_counted: None) -> str:
    settings.CONTACT = "rektor@skola.example"
    settings.WEB_APP = False  # which would take the front page
    return live_server.url


@pytest.fixture
def notes(address: str, elsa: Caller) -> dict[str, str]:
    """Addresses of shared notes."""
    made = {
        "rich": added(elsa, title="Biologi", content=RICH),
        "mixed": added(elsa, title=HEBREW, content=MIXED),
        "plain": added(elsa, title="Lista", content=f"Hej\n\n{ARABIC}"),
        "empty": added(elsa, title="Tom"),
    }
    return {name: f"{address}/shared/{shared(elsa, note)}" for name, note in made.items()}


@IN_BOTH_LANGUAGES
def test_the_front_page_and_errors(address: str, page: Page, axe: str) -> None:
    checker = Checker(page, axe)
    page.goto(address)
    checker.check("front")
    answer = page.goto(f"{address}/nothing-here")
    assert answer is not None
    assert answer.status == 404
    checker.check("not found")
    assert checker.found == []


@IN_BOTH_LANGUAGES
def test_the_statistics(address: str, page: Page, axe: str) -> None:
    checker = Checker(page, axe)
    page.goto(f"{address}/stats")
    checker.check("nothing yet")
    for account in range(30):
        count("login", account=account, school="bjorkdalen")
        count("message", account=account, times=account)
    assert flush()
    Publication.objects.update(published_at=None)
    page.reload()  # the browser may keep a page for half a minute
    assert page.locator("summary").count() > 3
    for summary in page.locator("summary").all():
        summary.click()
    checker.check("statistics")
    assert checker.found == []


@IN_BOTH_LANGUAGES
def test_shared_notes_and_their_report(notes: dict[str, str], page: Page, axe: str) -> None:
    checker = Checker(page, axe)
    for name, url in notes.items():
        page.goto(url)
        checker.check(name)
    page.goto(f"{notes['plain']}x")
    checker.check("link that has ended")
    page.goto(f"{notes['plain']}/report")
    checker.check("report")
    page.fill("textarea", "Det är någon annans.")
    with page.expect_navigation():
        page.click("[type=submit]")
    checker.check("report sent")
    assert checker.found == []


@pytest.mark.parametrize("page", ["sv-SE"], indirect=True)
def test_every_paragraph_runs_in_its_own_direction(notes: dict[str, str], page: Page) -> None:
    page.goto(notes["mixed"])
    directions = "all => all.map(each => getComputedStyle(each).direction)"
    assert page.locator("h1, article h2").evaluate_all(directions) == ["rtl"] * 2
    assert page.locator("article > p").evaluate_all(directions) == ["rtl", "ltr"]
    assert page.locator("article ul, article li p").evaluate_all(directions) == ["rtl"] * 2
    assert page.locator("pre").evaluate_all(directions) == ["ltr"] * 2
    page.goto(notes["plain"])
    assert page.locator("article > p").evaluate_all(directions) == ["ltr", "rtl"]


# Playwright's own waiting needs what the content policy of the page forbids.
SCROLLED = """code => new Promise(done => {
  code.addEventListener("scroll", () => done(true));
  if (code.scrollLeft > 0) done(true);
  setTimeout(() => done(false), 5000);
})"""


@pytest.mark.parametrize("page", ["sv-SE"], indirect=True)
def test_the_keyboard_reaches_and_scrolls_a_block_of_code(
    notes: dict[str, str], page: Page
) -> None:
    page.set_viewport_size({"width": 360, "height": 800})
    page.goto(notes["mixed"])
    page.keyboard.press("Tab")
    code = page.get_by_role("group", name="Kod").first
    expect(code).to_be_focused()
    page.keyboard.press("ArrowRight")
    assert page.locator("pre").first.evaluate(SCROLLED)


def test_the_page_to_try_the_api(address: str, page: Page, problems: list[str], axe: str) -> None:
    """Within its content policy, and without asking anybody else."""
    elsewhere: list[str] = []
    page.on(
        "request",
        lambda r: None if r.url.startswith((address, "data:")) else elsewhere.append(r.url),
    )
    checker = Checker(page, axe, alone=True)
    page.goto(address)
    page.get_by_role("link", name="Read and try").click()
    operation = page.locator("#operations-service-version")
    expect(page.locator(".info .title")).to_contain_text("School wrapper", timeout=LOADING)
    checker.check("operations")
    operation.get_by_role("button").first.click()
    operation.get_by_role("button", name="Try it out").click()
    operation.get_by_role("button", name="Execute").click()
    expect(operation.locator(".live-responses-table .response-col_status").last).to_contain_text(
        "200"
    )
    checker.check("an operation with its answer")
    assert checker.found == []
    assert elsewhere == []
    assert problems == []
