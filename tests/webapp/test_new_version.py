"""A file of the app that is gone: in a tab from before an upgrade, and in the middle of one."""

from collections.abc import Callable

from playwright.sync_api import Request, Route, expect

from tests.browser.conftest import NEEDS_CHROMIUM
from tests.webapp.people import App

pytestmark = NEEDS_CHROMIUM

WEEK = "**/assets/week-*.js"


def old_tab(app: App) -> Callable[[], bool]:
    """Open today without a service worker and without this file of the week; returns whether the
    page has been loaded again since."""
    app.expect_refusal(404)
    app.expect_problems("Failed to fetch dynamically imported module")
    app.context.add_init_script("delete Navigator.prototype.serviceWorker")
    app.context.route(WEEK, lambda route: route.fulfill(status=404))
    app.open()
    app.page.evaluate("window.isOldTab = true")
    return lambda: not app.page.evaluate("window.isOldTab")


def test_an_old_tab_loads_the_new_version_once(app: App) -> None:
    was_reloaded = old_tab(app)

    loads: list[Request] = []
    app.page.on(
        "request", lambda each: loads.append(each) if each.is_navigation_request() else None
    )

    def miss_until_loaded(route: Route) -> None:
        if loads:
            route.continue_()
        else:
            route.fulfill(status=404)

    app.context.unroute(WEEK)
    app.context.route(WEEK, miss_until_loaded)
    app.page.get_by_role("link", name="Week", exact=True).click()
    app.heading("Week ")
    assert was_reloaded()


def test_a_page_that_does_not_come_says_so_and_leads_on(app: App) -> None:
    was_reloaded = old_tab(app)
    page = app.page
    page.get_by_role("link", name="Week", exact=True).click()
    app.heading("This page could not be opened")
    assert was_reloaded()
    page.get_by_role("link", name="More").click()
    app.heading("More")
    page.get_by_role("link", name="Week", exact=True).click()
    app.heading("This page could not be opened")
    app.context.unroute(WEEK)
    page.get_by_role("button", name="Reload").click()
    app.heading("Week ")


def test_an_app_that_does_not_come_is_no_empty_page(app: App) -> None:
    app.expect_refusal(404)
    app.context.add_init_script("delete Navigator.prototype.serviceWorker")
    app.context.route("**/assets/icon-*.js", lambda route: route.fulfill(status=404))
    app.open()
    expect(app.page.get_by_text("The app did not arrive.")).to_be_visible()
    app.context.unroute("**/assets/icon-*.js")
    app.page.get_by_role("button", name="Reload").click()
    app.heading("Today")
