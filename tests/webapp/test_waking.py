"""What is on the screen is read again: at midnight, and when the device wakes up."""

from datetime import datetime, timedelta

from playwright.sync_api import expect

from tests.browser.conftest import NEEDS_CHROMIUM
from tests.webapp.people import App, NewApp, tuesday_at
from upstream.simulator.server import Simulator

pytestmark = NEEDS_CHROMIUM


def move_first_lesson(app: App, simulator: Simulator, day: datetime, room: str) -> None:
    """Wait until the service hears of it: what it has is fresh for a second."""
    person = simulator.state.person("bjorkdalen", "elsa.nordvall")
    simulator.state.schedule.add(person.school, person.user_id, "room", day.date(), "08:20", room)
    app.wait_until(lambda: room in str(app.ask("/api/schedule?parallel=keep")))


def test_rooms_are_read_again_after_a_sleep_and_at_midnight(
    new_app: NewApp, simulator: Simulator
) -> None:
    tuesday = tuesday_at(10, 5)
    app = new_app("elsa.nordvall", now=tuesday)
    app.open()
    page = app.page
    first = page.get_by_role("region", name="Lessons").get_by_role("listitem").first
    expect(first).to_contain_text("08:20")
    move_first_lesson(app, simulator, tuesday, "Z1")
    page.clock.fast_forward("02:00")
    expect(first).to_contain_text("Z1")
    page.clock.pause_at(tuesday_at(23, 59))
    expect(page.get_by_text(f"Tuesday {tuesday.day} ")).to_be_visible()
    wednesday = tuesday + timedelta(days=1)
    move_first_lesson(app, simulator, wednesday, "Z2")
    # Half a minute after another: not a sleep, but the next day.
    page.clock.run_for(45_000)
    page.clock.run_for(30_000)
    expect(page.get_by_text(f"Wednesday {wednesday.day} ")).to_be_visible()
    expect(first).to_contain_text("Z2")
