"""What another app shares with this one, and what a phone needs to install it."""

import json
from functools import partial
from urllib.parse import urlencode

import pytest
from playwright.sync_api import expect

from notes.models import Note
from social.models import Message
from tests.browser.conftest import NEEDS_CHROMIUM
from tests.webapp.people import App, NewApp

pytestmark = NEEDS_CHROMIUM

HOSTILE = "<img src=x onerror=alert(1)> se här"


def share(app: App, **shared: str) -> None:
    """As the share sheet of a phone opens the app."""
    app.open(f"/app/share?{urlencode(shared)}")
    app.heading("Share")


def test_it_waits_in_the_chat_that_is_chosen_behind_what_was_begun(elsa: App, dm: str) -> None:
    page = elsa.page
    elsa.open(f"/app/chats/{dm}")
    field = page.get_by_role("textbox", name="Message")
    field.fill("Begun")
    elsa.wait_until(lambda: elsa.keeps(f"only-here/draft-{dm}", "Begun"))
    said = Message.objects.count()
    share(elsa, title="Länk", text=HOSTILE, url="https://example.org/a?b=1")
    shared = f"Länk\n{HOSTILE}\nhttps://example.org/a?b=1"
    expect(page.locator("#shared")).to_have_text(shared)
    assert page.locator("#shared img").count() == 0
    page.get_by_role("main").get_by_role("link", name="Bo Ek").click()
    expect(field).to_have_value(f"Begun\n{shared}")
    elsa.wait_until(lambda: elsa.keeps(f"only-here/draft-{dm}", "Länk"))
    assert Message.objects.count() == said
    page.reload()
    expect(field).to_have_value(f"Begun\n{shared}")
    assert elsa.problems == []


def test_it_becomes_a_note(elsa: App, dm: str) -> None:
    share(elsa, title="Recept", text="Mjöl\nÄgg")
    elsa.page.get_by_role("button", name="Make a note of it").click()
    elsa.page.wait_for_url("**/app/notes/*")
    expect(elsa.page.locator(".note-text")).to_contain_text("Ägg")
    assert Note.objects.get().title == "Recept"


def test_without_a_text_it_says_so(elsa: App, dm: str) -> None:
    share(elsa, title=" ")
    expect(elsa.page.get_by_text("The other app has shared no text.")).to_be_visible()


@pytest.mark.service_worker
def test_a_browser_installs_it_in_the_language_of_the_device(new_app: NewApp) -> None:
    for language, first in (("en", "Today's lessons"), ("sv", "Dagens lektioner")):
        app = new_app(language=language)
        app.open()
        steering = app.context.new_cdp_session(app.page)
        manifest = steering.send("Page.getAppManifest")
        assert manifest["errors"] == []
        names = [shortcut["name"] for shortcut in json.loads(manifest["data"])["shortcuts"]]
        assert names[0] == first
        app.wait_until(partial(app.page.evaluate, "!!navigator.serviceWorker.controller"))
        found = steering.send("Page.getInstallabilityErrors")["installabilityErrors"]
        # A window of a test has nothing to install into.
        assert [each for each in found if each["errorId"] != "in-incognito"] == []
