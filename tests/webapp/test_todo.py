"""What there is to do for school, and the plannings of a subject."""

import re
from typing import Any

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.conftest import NEEDS_CHROMIUM
from tests.schoolproxy.family import change
from tests.webapp.people import AWAY, App, NewApp, tuesday_at
from upstream.simulator.server import Simulator

pytestmark = NEEDS_CHROMIUM
NOW = tuesday_at(10, 5)
SECTIONS = ["Not handed in", "Due this week", "Tests in the next three weeks"]


def rows(app: App, section: str = SECTIONS[2]) -> Locator:
    return app.page.get_by_role("region", name=section).get_by_role("listitem")


def ticks(app: App) -> Locator:
    return rows(app).get_by_role("checkbox")


def done(app: App) -> int:
    """How many tests are ticked off at the service."""
    return sum(row["done"] for row in app.ask("/api/exams")["exams"])


def opened(new_app: NewApp, username: str = "elsa.nordvall") -> App:
    app = new_app(username, now=NOW)
    app.open("/app/more")
    app.page.get_by_role("link", name="To do").click()
    app.heading("To do")
    expect(ticks(app).first).to_be_visible()
    return app


def test_it_shows_what_is_missing_due_and_examined_and_ticks_it_on_all_devices(
    new_app: NewApp,
) -> None:
    phone, desk = opened(new_app), opened(new_app)
    missing = phone.ask("/api/missing")["missing"]
    assert rows(phone, SECTIONS[0]).count() == len(missing)
    for number in (0, 1):
        ticks(phone).nth(number).check()
    phone.wait_until(lambda: done(phone) == 2)
    name = str(ticks(phone).first.get_attribute("aria-label"))
    desk.page.reload()
    expect(ticks(desk).first).to_be_checked()
    expect(ticks(desk).nth(1)).to_be_checked()
    desk.page.get_by_label(name).first.uncheck()
    desk.wait_until(lambda: done(desk) == 1)
    phone.page.reload()
    expect(ticks(phone).nth(1)).to_be_checked()
    expect(ticks(phone).first).not_to_be_checked()
    rows(phone).first.get_by_role("link").click()
    phone.heading(name.removesuffix(": done"))
    assert phone.problems == desk.problems == []


@pytest.mark.service_worker
def test_a_tick_that_does_not_arrive_is_taken_back_and_the_copy_is_read_offline(
    new_app: NewApp,
) -> None:
    app = opened(new_app)
    app.expect_problems(*AWAY)
    app.wait_until(lambda: any(" todo-own" in name for _, name, _ in app.kept()))
    app.page.route("**/api/assignments/*/done*", lambda route: route.abort())
    ticks(app).first.click()
    expect(app.page.get_by_role("alert")).to_be_visible()
    expect(ticks(app).first).not_to_be_checked()
    count = ticks(app).count()
    app.page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    app.context.set_offline(True)
    app.page.reload()
    expect(ticks(app)).to_have_count(count)


def test_a_guardian_sees_all_children_together_and_ticks_for_each(new_app: NewApp) -> None:
    app = opened(new_app, "eva.ek")
    app.expect_refusal(404)
    marks = set(rows(app).locator(".tag").all_inner_texts())
    assert marks == {"Bo Ek", "Alva Lind"}
    bos = rows(app).filter(has_text="Bo Ek")
    with app.page.expect_response(re.compile("/done")):  # which a new page would break off
        bos.first.get_by_role("checkbox").check()
    app.page.reload()
    expect(bos.first.get_by_role("checkbox")).to_be_checked()
    alvas = rows(app).filter(has_text="Alva Lind").get_by_role("checkbox")
    assert not any(each.is_checked() for each in alvas.all())
    bos.last.get_by_role("link").click()
    expect(app.page.get_by_role("button", name="Bo Ek")).to_have_attribute("aria-pressed", "true")

    # What a push about Alva opens shows hers.
    app.open("/app/schedule?child=730216")
    app.heading("Week")
    alva = app.page.get_by_role("button", name="Alva Lind")
    expect(alva).to_have_attribute("aria-pressed", "true")
    app.open("/app/schedule?child=730214")  # nobody of hers
    app.heading("Week")
    expect(alva).to_have_attribute("aria-pressed", "true")

    refusal = {"success": False, "error": "Not used here.", "code": "switched_off"}
    of_bo = re.compile(r"/api/missing\?child=730217")
    app.page.route(of_bo, lambda route: route.fulfill(status=404, json=refusal))
    app.open("/app/todo")
    missing = app.page.get_by_role("region", name=SECTIONS[0])
    expect(missing.get_by_text("Bo Ek: this cannot be read.")).to_be_visible()
    expect(missing.get_by_text("Everything is handed in.")).to_have_count(0)
    assert app.problems == []


def test_a_teacher_is_not_sent_there(new_app: NewApp) -> None:
    app = new_app("torbjörn.ekvik", now=NOW)
    app.open("/app/more")
    expect(app.page.get_by_role("link", name="Calendar in your phone")).to_be_visible()
    expect(app.page.get_by_role("link", name="To do")).to_have_count(0)


def test_the_plannings_of_a_subject_are_read_with_their_files(new_app: NewApp) -> None:
    app = new_app("elsa.nordvall", now=NOW)
    room: dict[str, Any] = app.ask("/api/subjects")["subjects"][0]
    app.open(f"/app/subjects/{room['id']}")
    plannings = app.page.locator("section", has=app.page.get_by_role("heading", name="Plannings"))
    plannings.get_by_role("link").first.click()
    app.page.wait_for_url(re.compile(r"/app/plannings/\d+$"))
    expect(app.page.get_by_role("heading", name="Files")).to_be_visible()
    expect(app.page.get_by_role("link", name="Film om bråk")).to_be_visible()
    with app.page.expect_download() as download:
        app.page.get_by_role("link", name="Download Planering åk 8.pdf").click()
    assert download.value.suggested_filename == "Planering åk 8.pdf"
    assert app.problems == []


def test_what_is_late_is_not_handed_in_rather_than_due(new_app: NewApp) -> None:
    app = new_app("elsa.nordvall", now=NOW)
    query = f"week={NOW.isocalendar().week}&year={NOW.isocalendar().year}"
    answer = app.ask(f"/api/assignments/week?{query}")
    row = answer["data"][0] | {"id": 990_001, "title": "Sen uppsats", "submission": "late"}
    answer["data"].append(row | {"sortDate": f"{NOW:%Y-%m-%d} 23:00"})
    app.page.route("**/api/assignments/week*", lambda route: route.fulfill(json=answer))
    app.open("/app/todo")
    expect(rows(app, SECTIONS[0]).filter(has_text="Sen uppsats")).to_have_count(1)
    expect(rows(app, SECTIONS[1]).filter(has_text="Sen uppsats")).to_have_count(0)
    assert app.problems == []


def test_a_guardian_without_children_is_told_so(new_app: NewApp, simulator: Simulator) -> None:
    change(simulator, "eva.ek", children=())
    app = new_app("eva.ek", now=NOW)
    app.expect_refusal(409)
    for page in ("todo", "news", "inbox", "results"):
        app.open(f"/app/{page}")
        expect(app.page.get_by_text("The school names no child of yours.")).to_be_visible()
        expect(app.page.locator(".empty")).to_have_count(0)


def test_a_teacher_reads_a_planning_as_a_whole(new_app: NewApp) -> None:
    app = new_app("torbjörn.ekvik", now=NOW)
    rooms = app.ask("/api/subjects")["subjects"]
    room = next(each for each in rooms if any(row["planningId"] for row in each["entities"]))
    app.open(f"/app/subjects/{room['id']}")
    plannings = app.page.locator("section", has=app.page.get_by_role("heading", name="Plannings"))
    link = plannings.get_by_role("link").first
    part = link.locator(".row-title").inner_text()
    link.click()
    app.page.wait_for_url(re.compile(r"/app/assignments/\d+\?type=planning$"))
    app.heading(part.partition(",")[0])
    expect(app.page.get_by_role("heading", name=part)).to_be_visible()
    assert app.problems == []
