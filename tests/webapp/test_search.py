"""One field that finds chats, notes, and what was read on the device."""

from playwright.sync_api import expect
from pytest_django.fixtures import Settings

from tests.browser.conftest import NEEDS_CHROMIUM
from tests.conftest import signed_in
from tests.notes.notes import added
from tests.social_actions import dm_of, say
from tests.webapp.chats import bubble
from tests.webapp.people import NewApp, tuesday_at

pytestmark = NEEDS_CHROMIUM


def test_one_field_finds_a_message_a_note_and_an_article_that_was_read(
    new_app: NewApp, settings: Settings
) -> None:
    settings.LIMITS = {"messages": "100/86400"}
    elsa, bo = signed_in("elsa.nordvall"), signed_in("bo.ek")
    dm = dm_of(bo, "elsa.nordvall")
    say(bo, dm, "Glöm inte RÖDA tröjan")
    for number in range(60):
        say(bo, dm, f"Rad {number}.")
    note = added(elsa, title="Packlista", content="röda strumpor")
    app = new_app("elsa.nordvall", now=tuesday_at(10, 5))
    page = app.page
    app.open("/app/news")
    first = page.locator(".article-card").first
    article = first.locator("strong").inner_text()
    first.click()
    app.wait_until(lambda: any(" article-" in name for _, name, _ in app.kept()))

    app.open("/app/more")
    page.get_by_role("link", name="Search", exact=True).click()
    app.heading("Search")
    field = page.get_by_role("textbox", name="Search in what is yours")
    field.fill("roda")
    chat = page.get_by_role("link").filter(has_text="Glöm inte RÖDA tröjan")
    expect(chat).to_contain_text("Bo Ek")
    found = page.get_by_role("link").filter(has_text="Packlista")
    expect(found).to_have_attribute("href", f"/app/notes/{note['id']}")
    chat.click()
    first_said = bubble(page, "Glöm inte RÖDA tröjan")
    expect(first_said).to_be_in_viewport()
    expect(first_said).to_have_attribute("aria-current", "true")
    page.go_back()
    field.fill("finns inte alls")
    expect(page.get_by_text("Nothing was found.")).to_be_visible()
    field.fill(article.lower())
    expect(page.get_by_role("link").filter(has_text=article)).to_be_visible()
