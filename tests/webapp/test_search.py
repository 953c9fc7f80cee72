"""One field that finds chats, notes, and what was read on the device."""

from playwright.sync_api import expect
from pytest_django.fixtures import Settings

from tests.browser.conftest import NEEDS_CHROMIUM
from tests.conftest import signed_in
from tests.notes.notes import added
from tests.social_actions import dm_of, say
from tests.webapp.chats import bubble, write
from tests.webapp.people import App, NewApp, tuesday_at
from tests.webapp.test_chat import create_encrypted_group

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


def test_encrypted_groups_are_searched_on_a_device_that_can_open_them(
    elsa: App, new_app: NewApp, dm: str
) -> None:
    create_encrypted_group(elsa, "Hemligt")
    write(elsa.page, "Vi ses vid RÖDA lanternan")
    write(elsa.page, "Något annat")
    expect(elsa.page.get_by_text("Waiting to be sent")).to_have_count(0)
    elsa.open("/app/search")
    field = elsa.page.get_by_role("textbox", name="Search in what is yours")
    field.fill("lanternan roda")
    found = elsa.page.get_by_role("region", name="Encrypted chats")
    expect(found).to_contain_text("the last 100 messages of each group")
    expect(found.get_by_role("link")).to_have_count(1)
    found.get_by_role("link").filter(has_text="Elsa Nordvall: Vi ses vid RÖDA").click()
    said = bubble(elsa.page, "Vi ses vid RÖDA lanternan")
    expect(said).to_have_attribute("aria-current", "true")

    other = new_app("bo.ek")
    other.open("/app/search")
    other.page.get_by_role("textbox", name="Search in what is yours").fill("lanternan")
    region = other.page.get_by_role("region", name="Encrypted chats")
    expect(region.get_by_text("Nothing was found.")).to_be_visible()
    expect(region.get_by_role("link")).to_have_count(0)
