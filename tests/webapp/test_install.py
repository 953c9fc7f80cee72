"""Installing the app: offered in the settings, to those who have not."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import NEEDS_CHROMIUM
from tests.webapp.people import App, NewApp

pytestmark = NEEDS_CHROMIUM


# Chromium offers it by itself only to people that it knows, so the test dispatches its event.
_OFFER = """() => {
  const offer = new Event("beforeinstallprompt", {cancelable: true});
  offer.prompt = () => { window.prompted = (window.prompted ?? 0) + 1; return Promise.resolve(); };
  return window.dispatchEvent(offer);
}"""


def test_the_app_is_installed_by_a_button_of_the_settings_and_nothing_pops_up(app: App) -> None:
    page = app.page
    app.open("/app/settings")
    button = page.get_by_role("button", name="Install the app")
    expect(page.get_by_text("Signed in as Elsa Nordvall")).to_be_visible()
    expect(button).to_have_count(0)
    assert page.evaluate(_OFFER) is False  # the browser shows nothing of its own
    expect(button).to_be_visible()
    assert page.evaluate("window.prompted") is None
    button.click()
    expect(button).to_have_count(0)
    assert page.evaluate("window.prompted") == 1
    page.evaluate(_OFFER)
    expect(button).to_be_visible()
    page.evaluate("window.dispatchEvent(new Event('appinstalled'))")
    expect(button).to_have_count(0)


@pytest.mark.parametrize(
    ("is_installed", "language", "sentence"),
    [
        (False, "en", "Press Share in the browser, then Add to Home Screen."),
        (False, "sv", "Tryck på Dela i webbläsaren och sedan på Lägg till på hemskärmen."),
        (True, "en", None),
    ],
)
def test_on_an_iphone_the_settings_say_how_to_install_it_until_it_is(
    new_app: NewApp, is_installed: bool, language: str, sentence: str | None
) -> None:
    app = new_app("elsa.nordvall", language=language)
    # As the browsers of an iPhone say it.
    app.context.add_init_script(f"navigator.standalone = {str(is_installed).lower()}")
    app.open("/app/settings")
    expect(app.page.get_by_text("Elsa Nordvall")).to_be_visible()
    hint = app.page.get_by_role("region", name=re.compile("As an app|Som en app"))
    if sentence:
        expect(hint).to_contain_text(sentence)
    else:
        expect(hint).to_have_count(0)
    expect(hint.get_by_role("button")).to_have_count(0)


def test_who_has_installed_it_is_not_asked_to(app: App) -> None:
    app.context.add_init_script("""
      const real = matchMedia;
      window.matchMedia = query => real(query.includes("standalone") ? "all" : query);
    """)
    app.open("/app/settings")
    expect(app.page.get_by_text("Signed in as Elsa Nordvall")).to_be_visible()
    app.page.evaluate(_OFFER)
    expect(app.page.get_by_role("button", name="Sign out")).to_be_visible()
    expect(app.page.get_by_role("button", name="Install the app")).to_have_count(0)
