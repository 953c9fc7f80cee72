"""Signing in, and sessions that end."""

import pytest
from playwright.sync_api import Route, expect

from accounts.models import ServiceSession
from tests.browser.conftest import NEEDS_CHROMIUM
from tests.concurrency import wait_until
from tests.webapp.people import App, NewApp
from upstream.simulator.server import Simulator

pytestmark = [*NEEDS_CHROMIUM, pytest.mark.service_worker]


def test_the_school_is_found_by_typing_and_remembered(new_app: NewApp) -> None:
    app = new_app()
    app.open()
    school = app.page.get_by_role("combobox", name="School")
    school.fill("no such school")
    expect(app.page.get_by_text("No school has that name.")).to_be_visible()
    school.fill("nyvang")  # without the ring, as many type it
    expect(app.page.get_by_role("option")).to_have_count(1)
    school.press("Enter")
    expect(school).to_have_value("Nyvångs skola & fritidshem")
    app.page.get_by_label("Username").fill("zoe.åkerman")
    app.page.get_by_label("Password").fill("zoe-demo")
    app.page.get_by_label("Password").press("Enter")
    app.heading("Today")


def test_a_wrong_password_is_said_in_the_language_of_the_person(new_app: NewApp) -> None:
    app = new_app(language="sv")
    app.open()
    app.page.get_by_role("combobox").fill("Björkdal")
    app.page.get_by_role("option").click()
    app.page.get_by_label("Användarnamn").fill("elsa.nordvall")
    app.page.get_by_label("Lösenord").fill("wrong")
    app.page.get_by_role("button", name="Logga in").click()
    expect(app.page.get_by_role("alert")).to_contain_text("lösenord")
    expect(app.page.get_by_label("Användarnamn")).to_have_value("elsa.nordvall")


def test_missing_fields_are_named_without_a_request(new_app: NewApp) -> None:
    app = new_app()
    app.open()
    app.page.get_by_role("button", name="Sign in").click()
    expect(app.page.get_by_text("Fill this in.")).to_have_count(3)


def test_the_session_renews_itself_when_the_schools_session_has_died(
    app: App, simulator: Simulator
) -> None:
    app.open()
    app.heading("Today")
    expect(app.page).to_have_title("Today")
    simulator.state.kill_web_sessions(simulator.state.person("bjorkdalen", "elsa.nordvall"))
    app.page.get_by_role("link", name="More").click()
    app.page.get_by_role("link", name="Class list").click()
    expect(app.page.get_by_role("main").get_by_text("Amélie Berg")).to_be_visible()


def test_after_the_last_token_the_person_signs_in_again(
    new_app: NewApp, simulator: Simulator
) -> None:
    app = new_app()
    app.open("/app/week")
    app.sign_in()
    app.heading("Week")
    elsa = simulator.state.person("bjorkdalen", "elsa.nordvall")
    simulator.state.kill_tokens(elsa)
    simulator.state.kill_web_sessions(elsa)
    # A device that wakes up asks for what is new; the page may have noticed it before.
    app.page.evaluate("dispatchEvent(new Event('online'))")
    expect(app.page.get_by_text("You have to sign in again.")).to_be_visible()
    app.sign_in()
    app.heading("Week")


def test_signing_out_leaves_nothing_of_the_account_on_the_device(app: App) -> None:
    app.open()
    app.heading("Today")
    app.open("/app/settings")
    app.page.get_by_role("button", name="Sign out").click()
    app.heading("Sign in")
    wait_until(lambda: ServiceSession.objects.count() == 0)
    app.wait_until(lambda: not any("owed" in name for _, name, _ in app.kept()))
    kept = {(area, name) for area, name, _ in app.kept()}
    files = {("cache", name) for _, name in kept if name.startswith(f"{app.service.url}/app/")}
    assert kept - files <= {("storage", "school"), ("database", " device/schools")}


def test_an_answer_that_comes_after_signing_out_signs_nobody_in(app: App) -> None:
    app.open()
    app.heading("Today")
    asked: list[Route] = []

    def hold(route: Route) -> None:
        asked.append(route)

    app.page.route("**/api/session", hold, times=1)
    app.open("/app/settings")
    app.wait_until(lambda: bool(asked))
    late = asked[0].fetch()
    app.page.get_by_role("button", name="Sign out").click()
    app.heading("Sign in")
    with app.page.expect_response("**/api/session"):
        asked[0].fulfill(response=late)
    wait_until(lambda: ServiceSession.objects.count() == 0)
    app.wait_until(lambda: not any("elsa" in name + text for _, name, text in app.kept()))
    app.heading("Sign in")


def test_no_token_is_within_reach_of_scripts(new_app: NewApp) -> None:
    app = new_app()
    app.sign_in()
    app.heading("Today")
    assert app.page.evaluate("document.cookie") == ""
    stored = app.page.evaluate("JSON.stringify([{...localStorage}, {...sessionStorage}])")
    token = ServiceSession.objects.get().access_token
    assert token
    assert token not in stored


def test_a_first_visit_asks_for_no_session_and_cookies_alone_are_found(new_app: NewApp) -> None:
    app = new_app()
    asked: list[str] = []
    app.page.on("request", lambda request: asked.append(request.url.removeprefix(app.service.url)))
    every = app.every_problem()
    for visit in (app.open, app.page.reload):  # the second one through the service worker
        visit()
        expect(app.page.get_by_role("combobox", name="School")).to_be_visible()
        app.page.evaluate("navigator.serviceWorker.ready.then(() => true)")
        app.page.wait_for_load_state("networkidle")
    assert every == []
    assert not {"/api/session", "/api/refresh"} & {*asked}

    app.enter()  # as after the school's own page
    app.page.reload()
    app.heading("Today")
    app.page.goto("about:blank")
    devices = app.context.new_cdp_session(app.page)
    kinds = "local_storage,indexeddb,cache_storage,service_workers"
    devices.send("Storage.clearDataForOrigin", {"origin": app.service.url, "storageTypes": kinds})
    app.open()
    app.heading("Today")
