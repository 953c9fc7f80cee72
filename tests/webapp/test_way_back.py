"""Who goes back comes to where they were: to the page before, as far down, at the same link."""

from playwright.sync_api import Page, expect

from tests.browser.conftest import NEEDS_CHROMIUM
from tests.conftest import Caller
from tests.webapp.people import App, NewApp, tuesday_at

pytestmark = NEEDS_CHROMIUM


def scrolled(page: Page) -> float:
    return float(page.evaluate("scrollY"))


def test_a_list_is_as_it_was_left(new_app: NewApp) -> None:
    app = new_app("elsa.nordvall", now=tuesday_at(10, 5))
    page = app.page
    app.open("/app/news")
    page.get_by_role("button", name="Older").click()
    article = page.locator(".article-card").last
    expect(article).to_contain_text("(2)")
    article.scroll_into_view_if_needed()
    title = article.locator("strong").inner_text()
    place = scrolled(page)
    assert place > 100
    for go_back in (page.go_back, page.get_by_role("link", name="Back").click):
        article.click()
        app.heading(title)
        assert scrolled(page) == 0
        go_back()
        app.heading("News from school")
        expect(article).to_be_focused()
        expect(page.get_by_role("button", name="Older", pressed=True)).to_be_visible()
        app.wait_until(lambda: scrolled(page) == place)
    # Who comes by a link begins anew.
    page.get_by_role("link", name="More").click()
    page.get_by_role("link", name="News from school").click()
    expect(page.get_by_role("button", name="Current", pressed=True)).to_be_visible()
    assert scrolled(page) == 0


def test_the_next_person_finds_nothing_of_it(new_app: NewApp) -> None:
    app = new_app("elsa.nordvall")
    page = app.page
    app.open("/app/more")
    page.get_by_role("link", name="Search").click()
    page.get_by_role("searchbox").or_(page.get_by_role("textbox")).fill("hemligt")
    page.get_by_role("link", name="More").click()
    page.go_back()
    expect(page.locator("search input")).to_have_value("hemligt")
    page.get_by_role("link", name="More").click()
    page.get_by_role("link", name="Settings").click()
    page.get_by_role("button", name="Sign out").click()
    expect(page.locator("[name=username]")).to_be_visible()
    app.sign_in("bo.ek")
    page.evaluate("history.go(-2)")
    app.heading("Search")
    expect(page.locator("search input")).to_have_value("")


def test_the_arrow_leads_to_the_page_before(friends: tuple[Caller, Caller], elsa: App) -> None:
    page = elsa.page
    elsa.open("/app/more")
    elsa.open("/app/people/bo.ek")
    back = page.get_by_role("link", name="Back")
    # This page of the app has not shown the one before, so that the arrow leads to the page above.
    back.click()
    elsa.heading("People")
    page.get_by_role("link", name="Alerts").click()
    page.get_by_role("link", name="Bo Ek").first.click()
    back.click()
    elsa.heading("Alerts")


def test_a_deleted_note_is_no_page_to_go_back_to(elsa: App) -> None:
    page = elsa.page
    elsa.open("/app/more")
    page.get_by_role("link", name="Notes", exact=True).click()
    page.get_by_role("button", name="New note").click()
    page.get_by_role("textbox", name="Title").fill("Fel")
    expect(page.get_by_text("Saved", exact=True)).to_be_visible()
    page.get_by_role("button", name="Delete").click()
    page.get_by_role("dialog").get_by_role("button", name="Delete").click()
    elsa.heading("Notes")
    page.get_by_role("link", name="Back").click()
    elsa.heading("More")
