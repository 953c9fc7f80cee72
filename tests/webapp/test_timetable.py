"""The lessons of today and of a week: what the school says, and what is not known."""

import re
from datetime import timedelta

import pytest
from playwright.sync_api import FloatRect, Locator, expect

from tests.browser.conftest import NEEDS_CHROMIUM
from tests.conftest import signed_in
from tests.schoolproxy import watching
from tests.webapp.people import AWAY, DESKTOP, App, NewApp, tuesday_at
from upstream.simulator.server import Simulator

pytestmark = NEEDS_CHROMIUM

TUESDAY = tuesday_at(10, 5)
TRIP = "Lägerskola & friluftsliv"


def edit(simulator: Simulator, kind: str, days: int, start: str = "", value: str = "") -> None:
    """Change Elsa's lessons on the day that is so many days after Tuesday."""
    elsa = simulator.state.person("bjorkdalen", "elsa.nordvall")
    day = (TUESDAY + timedelta(days=days)).date()
    simulator.state.schedule.add(elsa.school, elsa.user_id, kind, day, start, value)


def day(app: App, name: str) -> Locator:
    return app.page.get_by_role("region", name=name)


def box(part: Locator) -> FloatRect:
    expect(part).to_be_visible()
    found = part.bounding_box()
    assert found is not None
    return found


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
    app = new_app("elsa.nordvall", now=TUESDAY, size=DESKTOP)
    app.open("/app/week")
    for name, count in {"Monday": 0, "Tuesday": 1, "Wednesday": 1, "Thursday": 1}.items():
        expect(day(app, name).get_by_text(TRIP, exact=True)).to_have_count(count)


def test_of_a_week_that_the_school_does_not_show_it_says_so(app: App) -> None:
    app.open(f"/app/week?from={(TUESDAY - timedelta(weeks=60)).date()}")
    expect(
        app.page.get_by_text("The school does not show the lessons of this week")
    ).to_be_visible()
    expect(app.page.locator(".slot, .lunch")).to_have_count(0)
    app.open("/app/week?from=2026-13-45")
    expect(app.page.locator(".day")).to_have_count(1)


def test_a_wide_screen_shows_the_week_to_scale(new_app: NewApp, simulator: Simulator) -> None:
    edit(simulator, "status", 0, "08:20", "3")
    app = new_app("elsa.nordvall", now=TUESDAY, size=DESKTOP)
    app.open("/app/week")
    app.heading(f"Week {TUESDAY.isocalendar().week}")
    tuesday = day(app, "Tuesday")
    slots = tuesday.locator(".slot")
    # An hour and five minutes, and 80 minutes later an hour; at the same height on each day.
    first, third = box(slots.filter(has_text="08:20–09:25")), box(slots.filter(has_text="09:40–"))
    hour = 60 * first["height"] / 65
    assert abs(third["height"] - hour) < 1.5
    assert abs(third["y"] - first["y"] - hour * 80 / 60) < 1.5
    assert box(day(app, "Friday").locator(".slot").first)["y"] == first["y"]
    # What is at the same time stands beside each other, and now is a line.
    languages = [box(slots.filter(has_text=name)) for name in ("Spanska", "Tyska", "Franska")]
    assert len({each["y"] for each in languages}) == 1
    assert len({each["x"] for each in languages}) == 3
    line = box(tuesday.locator(".now-line"))
    assert abs(line["y"] - third["y"] - hour * 25 / 60) < 2
    cancelled = slots.filter(has_text="08:20–09:25")
    expect(cancelled.locator("s")).to_be_visible()
    expect(cancelled).to_contain_text("Cancelled")
    expect(tuesday.get_by_text("Free 11:40")).to_have_count(0)
    cancelled.get_by_role("button").click()
    expect(app.page.get_by_role("dialog").get_by_text("Teacher")).to_be_visible()
    app.page.keyboard.press("Escape")
    app.page.keyboard.press("ArrowRight")
    app.heading(f"Week {(TUESDAY + timedelta(weeks=1)).isocalendar().week}")
    app.page.get_by_role("main").get_by_role("link", name="Today").click()
    expect(tuesday.locator(".now-line")).to_be_visible()


def test_work_is_counted_once_on_the_day_it_has_to_be_ready(new_app: NewApp) -> None:
    app = new_app("elsa.nordvall", now=TUESDAY, size=DESKTOP)
    app.open("/app/week")
    year, week, _ = TUESDAY.isocalendar()
    monday = TUESDAY.date() - timedelta(days=1)
    exams = app.ask(f"/api/exams?from={monday}&to={monday + timedelta(days=6)}")["exams"]
    assignments = app.ask(f"/api/assignments/week?week={week}&year={year}")["data"]
    page, others = app.page, [each for each in exams if each["kind"] != "exam"]
    assert others
    for each in others:
        row = f"a[href='/app/assignments/{each['id']}']"
        expect(page.get_by_role("region", name="To hand in").locator(row)).to_have_count(1)
        expect(page.get_by_role("main").locator(row)).to_have_count(1)
    due = {each["id"]: each["end"] or each["start"] for each in exams}
    due |= {str(each["id"]): each["sortDate"] for each in assignments}
    for number, name in enumerate(("Monday", "Tuesday", "Wednesday", "Thursday", "Friday")):
        date = str(monday + timedelta(days=number))
        count = sum(each.startswith(date) for each in due.values())
        words = "1 exam or deadline" if count == 1 else f"{count} exams and deadlines"
        expect(day(app, name).locator(".day-due")).to_have_text(words if count else "")


@pytest.mark.service_worker
def test_a_phone_shows_a_day_and_leads_to_the_next(new_app: NewApp) -> None:
    app = new_app("elsa.nordvall", now=TUESDAY + timedelta(days=3))
    app.expect_problems(*AWAY)
    page = app.page
    app.open("/app/week")
    expect(day(app, "Friday").locator(".slot").first).to_be_visible()
    expect(page.locator(".day")).to_have_count(1)
    # Read aloud, free time comes between the lessons.
    parts = day(app, "Friday").locator("ol > li").all_inner_texts()
    begins = [time for part in parts for time in re.findall(r"\d\d:\d\d", part)[:1]]
    assert len(begins) == len(parts)
    assert begins == sorted(begins)
    assert [part for part in parts if part.startswith("Free")]
    page.get_by_role("link", name="Later day").click()
    expect(day(app, "Monday").locator(".slot").first).to_be_visible()
    app.heading(f"Week {(TUESDAY + timedelta(weeks=1)).isocalendar().week}")
    page.evaluate(_SWIPE, 200)
    expect(day(app, "Friday").locator(".slot").first).to_be_visible()
    page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    app.wait_until(lambda: sum(" lessons-" in name for _, name, _ in app.kept()) == 2)
    app.context.set_offline(True)
    page.evaluate(_SWIPE, -200)
    expect(day(app, "Monday").locator(".slot").first).to_be_visible()


# A finger on the timetable that moves sideways by so many pixels.
_SWIPE = """by => {
  const area = document.querySelector(".timetable");
  const at = x => [new Touch({identifier: 1, target: area, clientX: 150 + x, clientY: 300})];
  const say = (name, lists) => area.dispatchEvent(new TouchEvent(name, {bubbles: true, ...lists}));
  say("touchstart", {touches: at(0), changedTouches: at(0)});
  say("touchend", {touches: [], changedTouches: at(by)});
}"""


def test_absence_and_what_has_changed_are_marked(new_app: NewApp, simulator: Simulator) -> None:
    simulator.state.settings.set("attendance", "mixed")
    with watching.clock(TUESDAY.replace(hour=7)) as traveller:
        signed_in()
        watching.watch()
        watching.look_twice(traveller)
        edit(simulator, "room", 0, "09:40", "Aula")
        edit(simulator, "cancelled", 1, "12:20")
        watching.look_twice(traveller)
    app = new_app("elsa.nordvall", now=TUESDAY, size=DESKTOP)
    app.open("/app/week")
    changed = day(app, "Tuesday").locator(".slot").filter(has_text="Changed")
    changed.get_by_role("button").click()
    expect(app.page.get_by_role("dialog").get_by_text("is in Aula")).to_be_visible()
    app.page.keyboard.press("Escape")
    gone = day(app, "Wednesday").locator(".slot").filter(has_text="12:20–13:20")
    expect(gone).to_contain_text("Cancelled")
    expect(app.page.get_by_text("Absence this week:")).to_be_visible()
    absent = app.page.locator(".slot").filter(has_text="Absent, approved").first
    absent.get_by_role("button").click()
    expect(app.page.get_by_role("dialog").get_by_text("Ring hem.")).to_be_visible()


def test_what_is_due_first_is_handed_in_first(new_app: NewApp) -> None:
    app = new_app("elsa.nordvall", now=TUESDAY)
    year, week, _ = TUESDAY.isocalendar()
    answer = app.ask(f"/api/assignments/week?week={week}&year={year}")
    days = ("Friday", 4), ("Monday", 0), ("Thursday", 3)
    monday = TUESDAY.date() - timedelta(days=1)
    answer["data"] = [
        answer["data"][0]
        | {"id": 990_000 + day, "title": name, "sortDate": f"{monday + timedelta(days=day)} 08:20"}
        for name, day in days
    ]
    app.page.route("**/api/assignments/week*", lambda route: route.fulfill(json=answer))
    app.open("/app/week")
    due = app.page.get_by_role("region", name="To hand in").locator(".row-title")
    expect(due.get_by_text(re.compile("Monday|Thursday|Friday"))).to_have_text(
        ["Monday", "Thursday", "Friday"]
    )
