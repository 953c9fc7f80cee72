"""Reading a conversation further up while others write."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import NEEDS_CHROMIUM
from tests.conftest import Caller
from tests.social_actions import say
from tests.webapp.chats import bubble, write
from tests.webapp.people import App, NewApp

pytestmark = NEEDS_CHROMIUM


@pytest.fixture
def place_of(friends: tuple[Caller, Caller], elsa: App, dm: str) -> Callable[[str], float]:
    """A conversation that is longer than the screen, scrolled up; where a message is in it."""
    for number in range(24):
        say(friends[1], dm, f"Rad {number}.")
    elsa.open(f"/app/chats/{dm}")
    expect(bubble(elsa.page, "Rad 23.")).to_be_in_viewport()
    scroll(elsa.page, -700)

    def place(text: str) -> float:
        box = bubble(elsa.page, text).bounding_box()
        assert box
        return box["y"]

    return place


def scroll(page: Page, by: int) -> None:
    page.get_by_role("log").hover()
    page.mouse.wheel(0, by)
    page.wait_for_function("document.querySelector('.messages').scrollTop < -600")


def test_new_messages_are_told_below_and_move_nothing(
    elsa: App, new_app: NewApp, dm: str, place_of: Callable[[str], float]
) -> None:
    before = place_of("Rad 12.")
    bo = new_app("bo.ek")
    bo.open(f"/app/chats/{dm}")
    hint = elsa.page.get_by_role("button", name="new message")
    for text, said in (
        ("Ett", "1 new message"),
        ("Två", "2 new messages"),
        ("Tre", "3 new messages"),
    ):
        write(bo.page, text)
        expect(hint).to_contain_text(said)
    assert abs(place_of("Rad 12.") - before) < 2
    hint.click()
    expect(bubble(elsa.page, "Ett")).to_be_in_viewport()
    expect(bubble(elsa.page, "Ett")).to_be_focused()
    expect(hint).to_have_count(0)
    write(bo.page, "Fyra")
    expect(bubble(elsa.page, "Fyra")).to_be_in_viewport()
    expect(hint).to_have_count(0)


def test_what_one_writes_oneself_is_shown(elsa: App, place_of: Callable[[str], float]) -> None:
    write(elsa.page, "Det är jag")
    expect(bubble(elsa.page, "Det är jag")).to_be_in_viewport()
    expect(elsa.page.get_by_role("button", name="new message")).to_have_count(0)


@pytest.mark.parametrize("height", [300, 340])
def test_the_keyboard_on_the_screen_leaves_room_to_read(
    elsa: App, dm: str, friends: tuple[Caller, Caller], height: int
) -> None:
    """A phone of 360 by 640 with its keyboard open, as `interactive-widget` shrinks the page."""
    page = elsa.page
    for number in range(12):
        say(friends[1], dm, f"Rad {number}.")
    page.set_viewport_size({"width": 360, "height": 640})
    elsa.open(f"/app/chats/{dm}")
    field = page.get_by_role("textbox", name="Message")
    field.focus()
    page.set_viewport_size({"width": 360, "height": height})
    for text in ("Rad 11.", "Rad 10."):
        expect(bubble(page, text)).to_be_in_viewport(ratio=1)
    expect(field).to_be_in_viewport(ratio=1)
    field.fill("En rad\n" * 12)
    expect(bubble(page, "Rad 11.")).to_be_in_viewport()
    expect(page.get_by_role("button", name="Send")).to_be_in_viewport(ratio=1)
