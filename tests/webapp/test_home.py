"""The first page: now and next, what it shows and in which order, and the theme."""

from datetime import timedelta

from playwright.sync_api import expect

from tests.browser.conftest import NEEDS_CHROMIUM
from tests.webapp.people import App, NewApp, tuesday_at

pytestmark = NEEDS_CHROMIUM


def headings(app: App) -> list[str]:
    return app.page.get_by_role("main").get_by_role("heading", level=2).all_inner_texts()


def test_it_says_what_is_now_and_next_and_what_is_new(new_app: NewApp) -> None:
    app = new_app("elsa.nordvall", now=tuesday_at(10, 5))
    app.open()
    lessons = app.page.get_by_role("region", name="Lessons")
    expect(lessons.get_by_text("until 10:40, 35 min left")).to_be_visible()
    expect(lessons.get_by_text("at 12:20")).to_be_visible()
    news = app.page.get_by_role("region", name="New from school")
    expect(news.get_by_role("listitem")).to_have_count(3)


def test_everybody_arranges_their_own_page(new_app: NewApp) -> None:
    app = new_app("elsa.nordvall", now=tuesday_at(10, 5))
    app.open()
    expect(app.page.get_by_role("region", name="Countdowns")).to_be_visible()
    assert headings(app) == [
        "Lessons",
        "Lunch",
        "Assignments and tests",
        "Chats",
        "New from school",
        "Countdowns",
    ]
    app.page.get_by_role("button", name="Arrange the page").click()
    dialog = app.page.get_by_role("dialog")
    dialog.get_by_role("checkbox", name="Lunch").uncheck()
    dialog.get_by_role("checkbox", name="Chats").uncheck()
    for _ in range(3):
        dialog.get_by_role("button", name="Move up: New from school").click()
    dialog.get_by_role("button", name="Save").click()
    expect(dialog).to_have_count(0)
    wanted = ["Lessons", "New from school", "Assignments and tests", "Countdowns"]
    expect(app.page.get_by_role("region", name="Lunch")).to_have_count(0)
    assert headings(app) == wanted
    other = new_app("elsa.nordvall", now=tuesday_at(10, 5))
    other.open()
    expect(other.page.get_by_role("region", name="Countdowns")).to_be_visible()
    assert headings(other) == wanted


def test_a_reply_and_the_next_week_are_a_tap_away(new_app: NewApp, dm: str) -> None:
    elsa = new_app("elsa.nordvall", now=tuesday_at(10, 5))
    elsa.open()
    page = elsa.page
    row = page.get_by_role("region", name="Chats").get_by_role("link", name="Bo Ek")
    expect(row).to_contain_text("Hej Elsa!")
    expect(row).to_contain_text("1 unread")
    row.click()
    expect(page.get_by_role("textbox", name="Message")).to_be_visible()
    elsa.open()
    page.get_by_role("link", name="Next week").click()
    week = (tuesday_at(10) + timedelta(days=7)).isocalendar().week
    expect(page.get_by_role("heading", level=1)).to_have_text(f"Week {week}")


def test_the_theme_is_chosen_and_stays(app: App) -> None:
    paper = "getComputedStyle(document.documentElement).backgroundColor"
    app.open("/app/settings")
    light = app.page.evaluate(paper)
    app.page.get_by_label("Theme").select_option("dark")
    dark = app.page.evaluate(paper)
    assert dark != light
    app.page.reload()
    expect(app.page.get_by_label("Theme")).to_have_value("dark")
    assert app.page.evaluate(paper) == dark
    app.page.get_by_label("Theme").select_option("system")
    assert app.page.evaluate(paper) == light
