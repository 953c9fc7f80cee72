"""The lessons of today and of a week: what the school says, and what is not known."""

from datetime import timedelta

from playwright.sync_api import expect

from tests.browser.conftest import NEEDS_CHROMIUM
from tests.webapp.people import App, NewApp, tuesday_at
from upstream.simulator.server import Simulator

pytestmark = NEEDS_CHROMIUM

TUESDAY = tuesday_at(10, 5)
TRIP = "Lägerskola & friluftsliv"


def edit(simulator: Simulator, kind: str, days: int, start: str = "", value: str = "") -> None:
    """Change Elsa's lessons on the day that is so many days after Tuesday."""
    elsa = simulator.state.person("bjorkdalen", "elsa.nordvall")
    day = (TUESDAY + timedelta(days=days)).date()
    simulator.state.schedule.add(elsa.school, elsa.user_id, kind, day, start, value)


def test_on_sunday_evening_it_names_the_next_school_day(
    new_app: NewApp, simulator: Simulator
) -> None:
    edit(simulator, "emptied", 7)
    app = new_app("elsa.nordvall", now=TUESDAY + timedelta(days=5, hours=9))
    app.open()
    lessons = app.page.get_by_role("region", name="Lessons")
    monday = TUESDAY + timedelta(days=13)
    expect(lessons.get_by_text("No lessons today.")).to_be_visible()
    name = f"Monday {monday.day} {monday:%B}"
    expect(lessons.get_by_role("heading", level=3, name=name)).to_be_visible()
    expect(lessons.get_by_role("listitem").first).to_contain_text("08:20")


def test_a_trip_is_there_on_each_of_its_days_without_markup(
    new_app: NewApp, simulator: Simulator
) -> None:
    edit(simulator, "trip", 0, value=str((TUESDAY + timedelta(days=2)).date()))
    app = new_app("elsa.nordvall", now=TUESDAY)
    app.open("/app/week")
    for day, count in {"Monday": 0, "Tuesday": 1, "Wednesday": 1, "Thursday": 1}.items():
        shown = app.page.get_by_role("region", name=day).get_by_text(TRIP, exact=True)
        expect(shown).to_have_count(count)


def test_of_a_week_that_the_school_does_not_show_it_says_so(app: App) -> None:
    app.open(f"/app/week?from={(TUESDAY - timedelta(weeks=60)).date()}")
    expect(
        app.page.get_by_text("The school does not show the lessons of this week")
    ).to_be_visible()
    expect(app.page.locator(".lesson, .lunch")).to_have_count(0)
