"""Signing in through the school's own page, on a phone, as a person walks it."""

import re

import pytest
from playwright.sync_api import Request, expect

from accounts.models import ServiceSession
from tests.browser.conftest import NEEDS_CHROMIUM
from tests.webapp.people import PHONE, App, NewApp
from upstream.simulator.server import Simulator

pytestmark = NEEDS_CHROMIUM

WORDS = {
    "en": {
        "student": "Pupil",
        "guardian": "Guardian",
        "staff": "Staff",
        "leave": "Sign in at the school's own page",
        "today": "Today",
        "cancelled": "You are not signed in",
        "wrong_kind": "Choose who you are",
        "refused": "did not let you in",
        "no_way": "you cannot sign in to this app yet",
    },
    "sv": {
        "student": "Elev",
        "guardian": "Vårdnadshavare",
        "staff": "Personal",
        "leave": "Logga in på skolans egen sida",
        "today": "Idag",
        "cancelled": "Du är inte inloggad",
        "wrong_kind": "Välj vem du är",
        "refused": "släppte inte in dig",
        "no_way": "kan du inte logga in i appen än",
    },
}


def choose(app: App, kind: str, language: str) -> None:
    """The school and who one is, on the sign-in page."""
    school = app.page.get_by_role("combobox")
    school.fill("Granskolan")
    app.page.get_by_role("option").click()
    app.page.get_by_label(WORDS[language][kind], exact=True).check()


def leave(app: App, language: str) -> None:
    """To the school's own page."""
    app.page.get_by_role("button", name=WORDS[language]["leave"]).click()
    app.page.wait_for_url(re.compile("/granskolan/react/sign-in/"))


def identify(app: App, name: str) -> None:
    """At the identity provider."""
    app.page.get_by_role("link", name="BankID eller skolkonto").click()
    app.page.get_by_role("button", name=name).click()


def fits(app: App) -> bool:
    return bool(app.page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"])


@pytest.mark.parametrize("language", ["en", "sv"])
@pytest.mark.parametrize(
    ("kind", "name", "shown"),
    [("student", "Tove Gran", "Tove"), ("guardian", "Moa Gran", "Olle Gran")],
)
def test_a_person_signs_in_and_comes_back_to_where_they_began(
    new_app: NewApp, language: str, kind: str, name: str, shown: str
) -> None:
    app = new_app(language=language)
    referrers: list[str] = []

    def note(request: Request) -> None:
        if request.url.startswith(app.service.url):
            referrers.append(request.headers.get("referer", ""))

    app.page.on("request", note)
    app.open("/app/settings")
    choose(app, kind, language)
    expect(app.page.locator("[name=password]")).to_have_count(0)
    assert fits(app)
    leave(app, language)
    identify(app, name)
    app.page.wait_for_url("**/app/settings")
    expect(app.page.get_by_text(re.compile(name))).to_be_visible()
    assert app.page.url == f"{app.service.url}/app/settings"
    assert fits(app)
    assert not [each for each in referrers if "callback?" in each]
    assert ServiceSession.objects.get().page_kind == kind
    assert "login_error" not in app.page.url
    app.page.reload()
    expect(app.page.get_by_text(re.compile(name))).to_be_visible()


@pytest.mark.parametrize("language", ["en", "sv"])
def test_who_was_wrong_about_who_they_are_is_asked_again(
    new_app: NewApp, simulator: Simulator, language: str
) -> None:
    simulator.state.settings.set("token_kind", "PARENT")
    app = new_app(language=language)
    app.open()
    choose(app, "student", language)
    leave(app, language)
    identify(app, "Tove Gran")
    expect(app.page.get_by_role("alert")).to_contain_text(WORDS[language]["wrong_kind"])
    assert app.page.url == f"{app.service.url}/app/"
    expect(app.page.get_by_label(WORDS[language]["student"], exact=True)).to_be_checked()
    assert fits(app)
    app.page.get_by_label(WORDS[language]["guardian"], exact=True).check()
    leave(app, language)
    identify(app, "Moa Gran")
    app.heading(WORDS[language]["today"])


@pytest.mark.parametrize("language", ["en", "sv"])
def test_what_went_wrong_is_said_once(new_app: NewApp, simulator: Simulator, language: str) -> None:
    app = new_app(language=language)
    app.open()
    choose(app, "student", language)
    leave(app, language)
    app.page.get_by_role("link", name="Avbryt").click()
    expect(app.page.get_by_role("status")).to_contain_text(WORDS[language]["cancelled"])
    assert app.page.url == f"{app.service.url}/app/"
    simulator.state.settings.set("authorize", "error")
    leave(app, language)
    identify(app, "Tove Gran")
    expect(app.page.get_by_role("alert")).to_contain_text(WORDS[language]["refused"])
    app.page.reload()
    expect(app.page.get_by_role("combobox")).to_be_visible()
    expect(app.page.get_by_role("alert")).to_have_count(0)


def test_staff_hear_that_there_is_no_way_yet(new_app: NewApp) -> None:
    app = new_app()
    app.open()
    choose(app, "staff", "en")
    expect(app.page.get_by_text(WORDS["en"]["no_way"])).to_be_visible()


def test_a_school_with_both_ways_offers_both(new_app: NewApp) -> None:
    app = new_app()
    app.open()
    school = app.page.get_by_role("combobox")
    school.fill("nyvang")
    school.press("Enter")
    expect(app.page.locator("[name=password]")).to_be_visible()
    expect(app.page.get_by_role("button", name=WORDS["en"]["leave"])).to_be_visible()


def test_a_school_that_does_not_answer_is_said_before_leaving(
    new_app: NewApp, simulator: Simulator
) -> None:
    app = new_app()
    app.expect_refusal(503)
    app.open()
    choose(app, "student", "en")
    button = app.page.get_by_role("button", name=WORDS["en"]["leave"])
    expect(button).to_be_visible()
    app.page.route(
        "**/api/v2/authorize*", lambda route: route.fulfill(status=503, json={"error": "Away."})
    )
    button.click()
    expect(app.page.get_by_role("alert")).to_contain_text("Away.")
