"""Notes: written, saved, kept offline, changed on two devices, shared and deleted."""

import json
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, Route, expect

from notes.models import Note
from tests.browser.conftest import NEEDS_CHROMIUM
from tests.concurrency import wait_until
from tests.conftest import Caller
from tests.notes.documents import node, paragraph, text
from tests.notes.notes import added
from tests.webapp.people import AWAY, App, NewApp

pytestmark = NEEDS_CHROMIUM

# What another program puts on the clipboard when a part of a page is copied.
PASTE = """(element, html) => {
  const data = new DataTransfer();
  data.setData("text/html", html);
  data.setData("text/plain", "as plain text");
  const event = { clipboardData: data, bubbles: true, cancelable: true };
  element.dispatchEvent(new ClipboardEvent("paste", event));
}"""
COPIED = """<style>p { color: red }</style><script>window.wasRun = true</script>
<p onclick="window.wasRun = true" style="color: red">Vatten <b>kokar</b> vid 100 grader.</p>
<img src="/nowhere.png" onerror="window.wasRun = true">"""


# What the first test writes.
BIOLOGY = (
    "Biologi",
    [
        node("heading", text("Cellen"), level=2),
        node(
            "paragraph",
            text("Läs "),
            text("sidan 12", "bold"),
            text(" på "),
            text("example.org", {"type": "link", "attrs": {"href": "https://example.org/"}}),
        ),
        node("taskList", node("taskItem", paragraph("Rita en cell"), checked=True)),
    ],
)


def text_of(page: Page) -> Locator:
    return page.get_by_role("textbox", name="Note")


def use_tool(page: Page, name: str) -> None:
    page.get_by_role("toolbar", name="Format").get_by_role("button", name=name, exact=True).click()


def is_saved(page: Page) -> None:
    """Wait until the service has the note."""
    expect(page.get_by_text("Saved", exact=True)).to_be_visible()


def begin_note(app: App, title: str) -> str:
    """Open a new note; returns its id."""
    app.open("/app/notes")
    app.page.get_by_role("button", name="New note").click()
    field = app.page.get_by_role("textbox", name="Title")
    expect(field).to_be_focused()
    field.fill(title)
    expect(text_of(app.page)).to_be_visible()
    return app.page.url.rpartition("/")[2]


def stored(note: str) -> Any:
    """The title and the blocks of a note in the database."""
    row = Note.objects.get(pk=note)
    return row.title, json.loads(row.valid_document or "{}")["content"]


def test_what_is_written_with_the_toolbar_is_stored(app: App) -> None:
    page = app.page
    note = begin_note(app, "Biologi")
    written = text_of(page)
    written.click()
    use_tool(page, "Heading 2")
    page.keyboard.type("Cellen")
    page.keyboard.press("Enter")
    page.keyboard.type("Läs ")
    use_tool(page, "Bold")
    page.keyboard.type("sidan 12")
    use_tool(page, "Bold")
    page.keyboard.type(" på ")
    use_tool(page, "Link")
    page.get_by_role("textbox", name="Address").fill("inte en adress")
    page.get_by_role("dialog").get_by_role("button", name="Save").click()
    expect(page.get_by_text("This is not the address of a web page")).to_be_visible()
    page.get_by_role("textbox", name="Address").fill("example.org")
    page.get_by_role("dialog").get_by_role("button", name="Save").click()
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(written).to_be_focused()
    page.keyboard.press("Enter")
    use_tool(page, "Task list")
    page.keyboard.type("Rita en cell")
    page.get_by_role("checkbox", name="Done: Rita en cell").check()
    is_saved(page)
    wait_until(lambda: stored(note) == BIOLOGY)
    page.reload()
    expect(written.get_by_role("heading", level=2, name="Cellen")).to_be_visible()
    expect(written.get_by_role("checkbox", name="Done: Rita en cell")).to_be_checked()


@pytest.mark.service_worker
def test_what_is_written_offline_survives_a_reload_and_is_saved_once(app: App) -> None:
    page = app.page
    app.expect_problems(*AWAY)
    # What the page sends when it is left may arrive; the same text again is no conflict for people.
    app.expect_refusal(409)
    note = begin_note(app, "Resan")
    is_saved(page)
    page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    page.reload()  # through the service worker, which keeps the files of the page
    expect(text_of(page)).to_be_visible()
    version = Note.objects.get(pk=note).version
    app.context.set_offline(True)
    text_of(page).click()
    page.keyboard.type("Skriven på tåget")
    expect(page.get_by_text("Not saved yet: no connection; kept on this device")).to_be_visible()
    wait_until(lambda: app.keeps(f"note-draft:{note}", "Skriven på tåget"))
    page.reload()
    expect(text_of(page)).to_have_text("Skriven på tåget")
    app.context.set_offline(False)
    is_saved(page)
    assert stored(note) == ("Resan", [paragraph("Skriven på tåget")])
    assert Note.objects.get(pk=note).version == version + 1
    wait_until(lambda: not app.keeps(f"note-draft:{note}", "tåget"))
    assert Note.objects.count() == 1


@pytest.mark.service_worker
@pytest.mark.parametrize(
    ("language", "sentence", "notes"),
    [
        ("en", "The editor is not on this device yet. It needs the network once", "Notes"),
        ("sv", "Redigeraren finns inte på enheten än. Den behöver nätet en gång", "Anteckningar"),
    ],
)
def test_the_first_note_without_a_network_says_that_the_editor_needs_it_once(
    new_app: NewApp, friends: tuple[Caller, Caller], language: str, sentence: str, notes: str
) -> None:
    note = added(friends[0], title="Biologi")["id"]
    app = new_app("elsa.nordvall", language=language)
    page = app.page
    app.expect_problems(*AWAY, "Failed to fetch dynamically imported module")
    app.open("/app/notes")
    row = page.get_by_role("link", name="Biologi")
    expect(row).to_be_visible()
    app.wait_until(lambda: app.keeps(f"note:{note}", "Biologi"))
    app.wait_until(lambda: bool(page.evaluate("!!navigator.serviceWorker.controller")))
    app.context.set_offline(True)
    row.click()
    expect(page.locator(".note-title")).to_have_value("Biologi")
    expect(page.get_by_text(sentence)).to_be_visible()
    page.locator(".page-head a").click()
    app.heading(notes)
    row.click()
    expect(page.get_by_text(sentence)).to_be_visible()
    app.context.set_offline(False)
    expect(page.locator(".note-text")).to_be_visible()
    expect(page.get_by_text(sentence)).to_have_count(0)


def test_a_save_that_fails_while_the_line_comes_back_is_tried_again_at_once(app: App) -> None:
    page = app.page
    app.expect_problems(*AWAY)
    note = begin_note(app, "Resan")
    is_saved(page)
    held: list[Route] = []

    def hold_the_first(route: Route) -> None:
        if route.request.method != "PATCH" or held:
            route.continue_()
        else:
            held.append(route)

    page.route(f"**/api/notes/{note}", hold_the_first)
    text_of(page).click()
    page.keyboard.type("Skriven på tåget")
    app.wait_until(lambda: bool(held))
    page.evaluate("dispatchEvent(new Event('online'))")
    held[0].abort("internetdisconnected")
    is_saved(page)
    assert stored(note) == ("Resan", [paragraph("Skriven på tåget")])


def test_a_note_that_was_changed_elsewhere_gives_a_choice_and_loses_nothing(
    app: App, friends: tuple[Caller, Caller]
) -> None:
    other_device = friends[0]

    def change_elsewhere(content: str) -> None:
        path = f"/api/notes/{note}"
        version = other_device.get(path).json()["note"]["version"]
        changed = other_device.patch(path, {"content": content, "version": version})
        assert changed.status_code == 200

    app.expect_refusal(409)
    page = app.page
    note = begin_note(app, "Recept")
    is_saved(page)
    for own, choice in (("Mjöl", "Keep mine"), ("Mjölk", "Take the other")):
        change_elsewhere("Jäst")
        text_of(page).click()
        page.keyboard.press("ControlOrMeta+a")
        page.keyboard.type(own)
        expect(page.get_by_text("This note was also changed somewhere else.")).to_be_visible()
        expect(text_of(page)).to_have_text(own)
        page.get_by_role("button", name=choice).click()
        is_saved(page)
        if choice == "Keep mine":
            assert stored(note) == ("Recept", [paragraph("Mjöl")])
    expect(text_of(page)).to_have_text("Jäst")
    page.get_by_role("link", name="Back").click()
    expect(page.get_by_role("link", name="Recept (copy)")).to_contain_text("Mjölk")
    contents = list(Note.objects.values_list("excerpt", flat=True))
    assert sorted(contents) == ["Jäst", "Mjölk"]


def test_only_an_empty_note_says_that_one_can_write(app: App) -> None:
    begin_note(app, "Frågor")
    written = text_of(app.page)
    before = "element => getComputedStyle(element, '::before').content"
    assert "Write here" in written.evaluate(before)
    written.press_sequentially("Varför är himlen blå?")
    written.press("Shift+Enter")
    written.press_sequentially("Och när är proven?")
    assert written.evaluate(before) == "none"


def test_a_link_shows_the_note_to_anybody_until_sharing_ends_and_then_it_is_deleted(
    app: App, browser: Browser
) -> None:
    stranger = browser.new_context().request
    page = app.page
    begin_note(app, "Insändare")
    text_of(page).click()
    page.keyboard.type("Fler parkbänkar!")
    page.get_by_role("button", name="Share").click()  # before the change was saved by itself
    page.get_by_role("button", name="Make a link").click()
    address = page.get_by_role("textbox", name="Address of the note")
    url = address.input_value()
    shown = stranger.get(url)
    assert shown.status == 200
    assert "Insändare" in shown.text()
    assert "Fler parkbänkar!" in shown.text()
    page.get_by_role("button", name="End sharing").click()
    expect(page.get_by_role("button", name="Make a link")).to_be_visible()
    gone = stranger.get(url)
    assert gone.status == 404
    assert "Fler parkbänkar!" not in gone.text()

    page.get_by_role("button", name="Close").click()
    page.get_by_role("button", name="Delete").click()
    page.get_by_role("dialog").get_by_role("button", name="Delete").click()
    app.heading("Notes")
    expect(page.get_by_text("No notes yet.")).to_be_visible()
    assert Note.objects.count() == 0


def test_pasted_html_brings_its_text_without_scripts_and_styles(app: App) -> None:
    page = app.page
    # The page's policy says what it kept out.
    app.expect_problems("Content Security Policy")
    note = begin_note(app, "Kemi")
    text_of(page).evaluate(PASTE, COPIED)
    expect(text_of(page)).to_have_text("Vatten kokar vid 100 grader.")
    is_saved(page)
    (block,) = stored(note)[1]
    assert [(each["text"], each.get("marks")) for each in block["content"]] == [
        ("Vatten ", None),
        ("kokar", [{"type": "bold"}]),
        (" vid 100 grader.", None),
    ]
    assert page.evaluate("window.wasRun") is None


WORD = """<p class=MsoListParagraphCxSpFirst style='mso-list:l0 level1 lfo1'>
<![if !supportLists]><span style='mso-list:Ignore'>1.<span>&nbsp;</span></span><![endif]>Koka</p>
<p class=MsoListParagraphCxSpMiddle style='mso-list:l0 level2 lfo1'>
<span style='mso-list:Ignore'>·<span>&nbsp;</span></span>Vatten</p>
<p class=MsoListParagraphCxSpLast style='mso-list:l0 level1 lfo1'>
<span style='mso-list:Ignore'>2.<span>&nbsp;</span></span>Servera</p><p class=MsoNormal>Klart</p>"""


def test_lists_of_word_are_lists_and_an_empty_new_note_is_gone(app: App) -> None:
    app.expect_problems("Content Security Policy")
    begin_note(app, "Recept")
    text_of(app.page).evaluate(PASTE, WORD)
    numbered = text_of(app.page).locator("> ol > li")
    expect(numbered).to_have_count(2)
    expect(numbered.first.locator("ul > li")).to_have_text("Vatten")
    expect(numbered.last).to_have_text("Servera")
    expect(text_of(app.page).locator("> p")).to_have_text("Klart")
    is_saved(app.page)
    app.page.get_by_role("link", name="Back").click()
    app.page.get_by_role("button", name="New note").click()
    expect(text_of(app.page)).to_be_visible()
    app.page.get_by_role("link", name="Back").click()
    app.wait_until(lambda: Note.objects.count() == 1)
    expect(app.page.get_by_role("main").get_by_role("listitem")).to_have_count(1)
