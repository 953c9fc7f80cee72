"""The school's system is down. In a file of its own: the server keeps away from it for a while."""

from playwright.sync_api import expect

from tests.browser.conftest import NEEDS_CHROMIUM
from tests.concurrency import wait_until
from tests.webapp.people import NewApp, tuesday_at
from upstream.simulator.server import Simulator

pytestmark = NEEDS_CHROMIUM


def test_when_the_school_is_down_stale_data_says_so(new_app: NewApp, simulator: Simulator) -> None:
    app = new_app(now=tuesday_at(10, 5))
    app.sign_in()
    lessons = app.page.get_by_role("region", name="Lessons")
    expect(lessons.get_by_role("listitem").first).to_be_visible()
    for operation in ("lessons", "session", "lunch", "assignments"):
        simulator.faults.set(operation, "500")
    wait_until(lambda: app.ask("/api/schedule").get("stale"))  # what it has is fresh for a second
    app.page.reload()
    expect(lessons.get_by_role("listitem").first).to_be_visible()
    expect(app.page.get_by_text("What you see is from")).to_be_visible()
    app.forget_problems()
