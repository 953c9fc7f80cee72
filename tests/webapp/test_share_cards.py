"""A note or a result of one's own, sent into a chat as a card."""

from typing import Any

from playwright.sync_api import expect

from social.models import Message
from tests.browser.conftest import NEEDS_CHROMIUM
from tests.conftest import Caller
from tests.notes.notes import added
from tests.webapp.full_app import assessed
from tests.webapp.people import App, NewApp
from tests.webapp.test_chat import create_encrypted_group

pytestmark = NEEDS_CHROMIUM


def cards() -> list[Any]:
    """The cards that have been sent."""
    return [card for card in Message.objects.values_list("share_card", flat=True) if card]


def test_a_note_is_copied_into_the_chat_that_is_named_on_the_button(
    elsa: App, friends: tuple[Caller, Caller], dm: str
) -> None:
    create_encrypted_group(elsa, "Hemligt")
    note = added(friends[0], title="Biologi", content="Celler")
    page = elsa.page
    elsa.open(f"/app/notes/{note['id']}")
    page.get_by_role("button", name="Share", exact=True).click()
    dialog = page.get_by_role("dialog")
    chats = dialog.get_by_label("In a chat")
    expect(chats.locator("option")).to_have_text(["Choose a chat", "Bo Ek"])
    expect(dialog.get_by_role("button", name="Send", exact=True)).to_be_disabled()
    chats.select_option("Bo Ek")
    dialog.get_by_role("button", name="Send to Bo Ek").click()
    page.wait_for_url(f"**/app/chats/{dm}")
    expect(page.locator(".share-card")).to_contain_text("Biologi")
    elsa.wait_until(lambda: bool(cards()))
    assert [(card["type"], card["title"]) for card in cards()] == [("note", "Biologi")]
    assert friends[0].get(f"/api/notes/{note['id']}").json()["note"]["shareUrl"] is None


def test_a_result_is_shared_without_the_teachers_words(
    elsa: App, friends: tuple[Caller, Caller], dm: str
) -> None:
    elsa.open(f"/app/assignments/{assessed(friends[0])}")
    elsa.page.get_by_role("button", name="Share the result").click()
    dialog = elsa.page.get_by_role("dialog")
    expect(dialog).to_contain_text("not your teacher's words")
    dialog.get_by_label("In a chat").select_option("Bo Ek")
    dialog.get_by_role("button", name="Send to Bo Ek").click()
    expect(elsa.page.locator(".share-card")).to_contain_text("Result")
    elsa.wait_until(lambda: bool(cards()))
    assert "Bra jobbat" not in str(cards())


def test_a_guardian_does_not_share_a_childs_result(new_app: NewApp, bo: Caller) -> None:
    number = assessed(bo)
    app = new_app("eva.ek")
    app.open(f"/app/assignments/{number}?child=730217")
    app.page.get_by_role("button", name="Bo Ek").click()
    expect(app.page.locator("#result")).to_be_visible()
    expect(app.page.get_by_role("button", name="Share the result")).to_have_count(0)
