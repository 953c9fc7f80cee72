"""A dialog begins at what is to be filled in, or else at its heading; never at what closes it."""

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.conftest import NEEDS_CHROMIUM
from tests.webapp.chats import open_choices
from tests.webapp.people import App, NewApp, tuesday_at

pytestmark = NEEDS_CHROMIUM


def heading(dialog: Locator, name: str) -> Locator:
    return dialog.get_by_role("heading", level=2, name=name)


def test_a_form_begins_at_its_first_field(app: App) -> None:
    dialog = app.page.get_by_role("dialog")
    app.open("/app/countdowns")
    app.page.get_by_role("button", name="New countdown").click()
    expect(dialog.get_by_role("textbox", name="Title")).to_be_focused()
    app.open("/app/settings/account")
    app.page.get_by_role("button", name="Erase my account").click()
    expect(dialog.get_by_label("Your password at school")).to_be_focused()
    app.open("/app/")
    app.page.get_by_role("button", name="Arrange the page").click()
    expect(dialog.get_by_role("checkbox").first).to_be_focused()


def test_any_other_begins_at_its_heading_and_so_does_each_step_of_it(elsa: App, dm: str) -> None:
    page = elsa.page
    dialog = page.get_by_role("dialog")
    elsa.open(f"/app/chats/{dm}")
    open_choices(page, "Hej Elsa!")
    expect(heading(dialog, "Message")).to_be_focused()
    dialog.get_by_role("button", name="Report in your own words").click()
    expect(heading(dialog, "Report")).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.get_by_role("button", name="More").first).to_be_focused()


@pytest.mark.parametrize("key", ["Enter", "Escape"])
def test_the_first_key_in_a_lesson_does_not_close_it_but_escape(new_app: NewApp, key: str) -> None:
    app = new_app("elsa.nordvall", now=tuesday_at(10, 5))
    app.open("/app/week")
    app.page.locator(".slot button").first.click()
    dialog = app.page.get_by_role("dialog")
    expect(dialog.get_by_role("heading")).to_be_focused()
    app.page.keyboard.press(key)
    expect(dialog).to_have_count(1 if key == "Enter" else 0)
