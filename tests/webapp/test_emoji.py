"""Choosing among all emoji: for a reaction and for a countdown."""

import re
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from notes.models import Countdown
from social.models import Reaction
from tests.browser.axe_checker import NEEDS_AXE, Checker
from tests.browser.conftest import NEEDS_CHROMIUM
from tests.conftest import Caller
from tests.webapp.chats import bubble, open_choices
from tests.webapp.one_device import wait_until_nothing_is_left
from tests.webapp.people import AWAY, App, NewApp
from tests.webapp.test_accessibility import tab_to

pytestmark = NEEDS_CHROMIUM

# How many pixels are missing to 44 in the smallest target, and to the width of the dialog and of
# its part that is scrolled.
_MISSING = """dialog => {
  const targets = [...dialog.querySelectorAll("[role=option], [role=tab], label.button-icon")];
  const sizes = targets.map(each => each.getBoundingClientRect());
  const smallest = Math.min(...sizes.flatMap(({width, height}) => [width, height]));
  const wide = [dialog, dialog.querySelector(".emoji-panel")];
  return [Math.max(0, 44 - smallest), ...wide.map(each => each.scrollWidth - each.clientWidth)];
}"""


def options(page: Page) -> Locator:
    title = re.compile("Choose an emoji|Välj en emoji")
    return page.get_by_role("dialog", name=title).get_by_role("option")


def open_emoji(page: Page) -> Locator:
    """Everything that can be chosen for what Bo has said; returns the dialog."""
    open_choices(page, "Hej Elsa!")
    page.get_by_role("button", name="React with another emoji").click()
    dialog = page.get_by_role("dialog", name="Choose an emoji")
    expect(dialog).to_be_visible()
    return dialog


def react(page: Page, name: str) -> None:
    dialog = open_emoji(page)
    dialog.get_by_role("textbox", name="Search").fill(name)
    dialog.get_by_role("option", name=name, exact=True).click()
    expect(page.get_by_role("dialog")).to_have_count(0)


def test_one_is_found_by_its_swedish_name_and_another_person_sees_it(
    dm: str, new_app: NewApp
) -> None:
    elsa, bo = new_app("elsa.nordvall", language="sv"), new_app("bo.ek")
    bo.open(f"/app/chats/{dm}")
    expect(bubble(bo.page, "Hej Elsa!")).to_be_visible()
    page = elsa.page
    elsa.open(f"/app/chats/{dm}")
    bubble(page, "Hej Elsa!").hover()
    bubble(page, "Hej Elsa!").get_by_role("button", name="Mer").click()
    page.get_by_role("button", name="Reagera med en annan emoji").click()
    page.get_by_role("textbox", name="Sök").fill("xyzzy")
    expect(page.get_by_text("Ingen emoji hittades.")).to_be_visible()
    # Without the dots, as on a foreign keyboard, and by a word that is not in its name.
    page.get_by_role("textbox", name="Sök").fill("bar frukt")
    expect(options(page).filter(has_text="🍓")).to_have_count(1)
    page.get_by_role("textbox", name="Sök").fill("jordgub")
    expect(options(page)).to_have_count(1)
    page.get_by_role("option", name="jordgubbe", exact=True).click()
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(page.get_by_role("button", name="🍓 från Elsa Nordvall")).to_be_visible()
    expect(bo.page.get_by_role("button", name="🍓 from Elsa Nordvall")).to_be_visible()
    assert Reaction.objects.get().emoji == "🍓"


def test_the_keyboard_is_enough_and_few_stops_lead_through_all(elsa: App, dm: str) -> None:
    page, press = elsa.page, elsa.page.keyboard
    elsa.open(f"/app/chats/{dm}")
    dialog = open_emoji(page)
    tab_to(page, dialog.get_by_role("tab", name="Smileys"))
    press.press("ArrowRight")
    press.press("ArrowRight")
    expect(dialog.get_by_role("tab", name="Animals and nature")).to_be_focused()
    expect(options(page)).to_have_count(158)
    press.press("Tab")
    expect(options(page).nth(0)).to_be_focused()
    press.press("ArrowRight")
    press.press("ArrowDown")
    focused = page.locator("[role=option]:focus")
    first, below = options(page).nth(1).bounding_box(), focused.bounding_box()
    assert first is not None
    assert below is not None
    assert below["x"] == first["x"]
    assert below["y"] > first["y"]
    press.press("ArrowUp")
    expect(options(page).nth(1)).to_be_focused()
    press.press("Tab")
    expect(options(page).and_(page.locator(":focus"))).to_have_count(0)
    tab_to(page, dialog.get_by_role("textbox", name="Search"))
    press.type("strawb")
    press.press("ArrowDown")
    expect(dialog.get_by_role("option", name="strawberry", exact=True)).to_be_focused()
    press.press("Enter")
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(page.get_by_role("button", name="🍓 from Elsa Nordvall")).to_be_visible()


def test_those_used_last_come_first_until_somebody_signs_out(elsa: App, dm: str) -> None:
    page = elsa.page
    elsa.open(f"/app/chats/{dm}")
    for name in ("strawberry", "rocket"):
        react(page, name)
    elsa.wait_until(lambda: elsa.keeps("emoji", "🚀"))
    recent = open_emoji(page).get_by_role("group", name="Used last").get_by_role("option")
    expect(recent).to_have_text(["🚀", "🍓"])
    expect(options(page).first).to_have_text("🚀")
    expect(recent.first).to_have_attribute("aria-selected", "true")
    # The same again takes it back.
    recent.first.click()
    expect(page.get_by_role("button", name="🚀 from Elsa Nordvall")).to_have_count(0)
    elsa.open("/app/settings")
    page.get_by_role("button", name="Sign out").click()
    wait_until_nothing_is_left(elsa)
    assert not elsa.keeps("emoji", "")


def test_the_tone_of_skin_is_kept(elsa: App, dm: str) -> None:
    page = elsa.page
    elsa.open(f"/app/chats/{dm}")
    dialog = open_emoji(page)
    dialog.get_by_role("tab", name="People").click()
    dialog.get_by_role("radio", name="Medium dark").check()
    dialog.get_by_role("option", name="waving hand", exact=True).click()
    expect(page.get_by_role("button", name="👋🏾 from Elsa Nordvall")).to_be_visible()
    react(page, "raised hand")
    expect(page.get_by_role("button", name="✋🏾 from Elsa Nordvall")).to_be_visible()


def test_a_countdown_has_any_emoji_and_the_search_does_not_save_it(
    app: App, friends: tuple[Caller, Caller]
) -> None:
    page = app.page
    app.open("/app/countdowns")
    page.get_by_role("button", name="New countdown").click()
    page.get_by_role("textbox", name="Title").fill("Ridläger")
    page.get_by_role("button", name="All emoji").click()
    search = page.get_by_role("textbox", name="Search")
    search.fill("xyzzy")
    expect(page.get_by_text("No emoji was found.")).to_be_visible()
    page.keyboard.press("Enter")
    expect(search).to_be_focused()
    assert not Countdown.objects.exists()
    search.fill("horse")
    expect(options(page).first).to_have_text("🐎")
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog", name="Choose an emoji")).to_have_count(0)
    expect(page.get_by_label("Emoji", exact=True)).to_have_value("🐎")
    expect(page.get_by_role("button", name="All emoji")).to_be_focused()
    assert not Countdown.objects.exists()
    page.get_by_role("button", name="All emoji").click()
    expect(options(page).first).to_be_visible()
    page.keyboard.press("Escape")
    expect(options(page)).to_have_count(0)
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("listitem").filter(has_text="Ridläger")).to_contain_text("🐎")


@pytest.mark.service_worker
def test_without_a_network_the_first_time_it_says_so_and_afterwards_it_needs_none(
    elsa: App, dm: str
) -> None:
    page = elsa.page
    elsa.expect_problems(*AWAY, "Failed to fetch dynamically imported module")
    elsa.open(f"/app/chats/{dm}")
    expect(bubble(page, "Hej Elsa!")).to_be_visible()
    page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    elsa.wait_until(lambda: bool(page.evaluate("!!navigator.serviceWorker.controller")))
    elsa.context.set_offline(True)
    dialog = open_emoji(page)
    expect(dialog.get_by_text("They need the network once")).to_be_visible()
    elsa.context.set_offline(False)
    expect(options(page).first).to_be_visible()
    kept = " ".join(url for _, url, _ in elsa.kept())
    assert re.findall(r"/assets/emoji_(?:sv|en)-", kept) == ["/assets/emoji_en-"]
    elsa.context.set_offline(True)
    page.reload()
    open_emoji(page)
    expect(options(page).first).to_be_visible()


@pytest.mark.parametrize(("width", "text"), [(320, 100), (320, 200), (1280, 100)])
def test_it_fits_and_its_targets_are_large(elsa: App, dm: str, width: int, text: int) -> None:
    page = elsa.page
    page.set_viewport_size({"width": width, "height": 740})
    elsa.open(f"/app/chats/{dm}")
    expect(bubble(page, "Hej Elsa!")).to_be_visible()
    page.evaluate("size => document.documentElement.style.fontSize = `${size}%`", text)
    dialog = open_emoji(page)
    dialog.get_by_role("tab", name="People").click()
    expect(options(page).first).to_be_visible()
    missing: list[Any] = dialog.evaluate(_MISSING)
    assert missing == [0, 0, 0]


class TestAccessibility:
    pytestmark = NEEDS_AXE

    @pytest.mark.parametrize("language", ["en", "sv"])
    def test_axe_finds_nothing_in_it(
        self, dm: str, new_app: NewApp, axe: str, language: str
    ) -> None:
        app = new_app("elsa.nordvall", language=language)
        page = app.page
        app.open(f"/app/chats/{dm}")
        page.get_by_role("button", name=re.compile("^(More|Mer)")).first.click(force=True)
        page.locator(".emoji-row button").last.click()
        checker = Checker(page, axe, 1200)
        for tab in range(2):
            page.get_by_role("tab").nth(tab).click()
            expect(options(page).first).to_be_visible()
            checker.check(f"tab {tab}")
        page.get_by_role("dialog").get_by_role("textbox").fill("flag")
        expect(page.get_by_role("tab", selected=True)).to_have_count(0)
        checker.check("search")
        assert checker.found == []
