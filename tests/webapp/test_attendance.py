"""The absence of a week, and what guardians find first."""

from playwright.sync_api import expect

from tests.browser.conftest import NEEDS_CHROMIUM
from tests.webapp.people import NewApp, tuesday_at
from upstream.simulator.server import Simulator

pytestmark = NEEDS_CHROMIUM
NOW = tuesday_at(10, 5)


def test_a_guardian_finds_results_missing_work_absence_and_the_calendar_first(
    new_app: NewApp, simulator: Simulator
) -> None:
    simulator.state.settings.attendance = "mixed"
    app = new_app("eva.ek", now=NOW)
    app.open()
    often = app.page.get_by_role("navigation", name="For guardians").get_by_role("link")
    expect(often).to_have_text(["Results", "Not handed in", "Attendance", "Calendar in your phone"])
    app.open("/app/more")
    rows = app.page.locator("main .rows .row-title")
    first = ["Results", "To do", "Attendance", "Calendar in your phone"]
    expect(rows.nth(3)).to_be_visible()
    assert rows.all_inner_texts()[:4] == first
    app.page.get_by_role("link", name="Attendance").click()
    app.heading("Attendance")
    for number, name in (("730217", "Bo Ek"), ("730216", "Alva Lind")):
        week = app.ask(f"/api/attendance?child={number}&week={NOW.isocalendar().week}")
        lessons = [each for day in week["days"] for each in day["lessons"]]
        noted = [each for each in lessons if each["state"] != "none"]
        assert noted
        shown = app.page.get_by_role("region", name=name).get_by_role("listitem")
        expect(shown).to_have_count(len(noted))
    app.page.get_by_role("button", name="Week before").click()
    expect(app.page.get_by_role("heading", level=2)).to_have_text(
        f"Week {tuesday_at(10).isocalendar().week - 1}"
    )
    assert app.problems == []


def test_a_pupil_sees_their_own_absence_and_no_links_for_guardians(new_app: NewApp) -> None:
    app = new_app("elsa.nordvall", now=NOW)
    app.open("/app/attendance")
    expect(app.page.get_by_text("The school has noted no absence this week.")).to_be_visible()
    app.open()
    app.heading("Today")
    expect(app.page.get_by_role("navigation", name="For guardians")).to_have_count(0)
    assert app.problems == []
