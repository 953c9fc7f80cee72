"""The address at which a phone's own calendar reads the schedule."""

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.conftest import NEEDS_CHROMIUM
from tests.webapp.people import AWAY, App, NewApp

pytestmark = NEEDS_CHROMIUM


def opened(new_app: NewApp, username: str = "elsa.nordvall") -> App:
    app = new_app(username)
    app.open("/app/more")
    app.page.get_by_role("link", name="Calendar in your phone").click()
    app.heading("Calendar in your phone")
    return app


def address(app: App) -> Locator:
    return app.page.get_by_label("The address", exact=True)


def status_of(app: App, url: str) -> int:
    return app.context.request.get(url).status


@pytest.mark.service_worker
def test_it_is_made_changed_made_again_and_ended(new_app: NewApp) -> None:
    app = opened(new_app)
    page = app.page
    exams, events = (
        page.get_by_label("Tests and homework"),
        page.get_by_label("The school's calendar"),
    )
    expect(exams).to_be_checked()
    events.check()
    page.get_by_role("button", name="Make an address").click()
    url = address(app).input_value()
    assert status_of(app, url) == 200
    webcal = page.get_by_role("link", name="Open in Calendar")
    assert webcal.get_attribute("href") == url.replace("http://", "webcal://")
    assert app.ask("/api/schedule/feed")["include"] == ["lessons", "events", "exams", "countdowns"]

    exams.uncheck()
    app.wait_until(
        lambda: app.ask("/api/schedule/feed")["include"] == ["lessons", "events", "countdowns"]
    )
    page.reload()
    expect(address(app)).to_have_value(url)
    expect(exams).not_to_be_checked()

    page.get_by_role("button", name="New address").click()
    page.get_by_role("button", name="Make a new address").click()
    expect(address(app)).not_to_have_value(url)
    assert status_of(app, url) == 404
    url = address(app).input_value()
    page.get_by_role("button", name="End the calendar").click()
    page.get_by_role("button", name="End it").click()
    expect(page.get_by_role("button", name="Make an address")).to_be_visible()
    assert status_of(app, url) == 404
    assert not any(url in content for _, _, content in app.kept())
    assert app.problems == []


def test_it_is_named(new_app: NewApp) -> None:
    app = opened(new_app)
    app.page.get_by_role("button", name="Make an address").click()
    url = address(app).input_value()
    name = app.page.get_by_label("Name", exact=True)
    name.fill("Elsas vecka")
    name.press("Tab")
    app.wait_until(lambda: app.ask("/api/schedule/feed")["name"] == "Elsas vecka")
    app.page.reload()
    expect(name).to_have_value("Elsas vecka")
    expect(address(app)).to_have_value(url)
    assert "NAME:Elsas vecka" in app.context.request.get(url).text()
    assert app.problems == []


def test_the_address_is_copied(new_app: NewApp) -> None:
    app = opened(new_app)
    app.page.get_by_role("button", name="Make an address").click()
    app.context.grant_permissions(["clipboard-read", "clipboard-write"])
    app.page.get_by_role("button", name="Copy the address").click()
    expect(app.page.get_by_text("Copied.")).to_be_visible()
    assert app.page.evaluate("navigator.clipboard.readText()") == address(app).input_value()


def test_a_choice_that_does_not_arrive_is_taken_back(new_app: NewApp) -> None:
    app = opened(new_app)
    app.page.get_by_role("button", name="Make an address").click()
    expect(address(app)).to_be_visible()
    app.expect_problems(*AWAY)
    app.page.route("**/api/schedule/feed*", lambda route: route.abort())
    plannings = app.page.get_by_label("Plannings")
    plannings.click()
    expect(app.page.get_by_role("alert")).to_be_visible()
    expect(plannings).not_to_be_checked()
    app.page.reload()
    expect(app.page.get_by_role("alert")).to_be_visible()
    app.page.unroute("**/api/schedule/feed*")
    app.page.get_by_role("button", name="Try again").click()
    expect(address(app)).to_be_visible()


def test_each_child_of_a_guardian_has_an_address(new_app: NewApp) -> None:
    app = opened(new_app, "eva.ek")
    urls = {}
    for child in ("Bo Ek", "Alva Lind"):
        app.page.get_by_role("button", name=child).click()
        app.page.get_by_role("button", name="Make an address").click()
        urls[child] = address(app).input_value()
    app.page.get_by_role("button", name="Bo Ek").click()
    expect(address(app)).to_have_value(urls["Bo Ek"])
    assert len(set(urls.values())) == 2
    assert app.problems == []


def test_a_teacher_chooses_what_a_teacher_has(new_app: NewApp) -> None:
    app = opened(new_app, "torbjörn.ekvik")
    expect(app.page.get_by_role("checkbox")).to_have_count(2)
