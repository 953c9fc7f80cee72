"""What the school says: today, the week, news, subjects, assignments, the class, and outages."""

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import NEEDS_CHROMIUM
from tests.concurrency import wait_until
from tests.webapp.people import AWAY, DESKTOP, PHONE, App, NewApp, tuesday_at
from upstream.simulator.server import Simulator

pytestmark = NEEDS_CHROMIUM

# Between the last text of a row and its end.
_ROOM_BELOW = """row => row.getBoundingClientRect().bottom
  - Math.max(...[...row.querySelectorAll("p")].map(each => each.getBoundingClientRect().bottom))"""
# The lines in which a text is shown.
_LINES = """element => {
  const lines = new Map();
  const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  while (texts.nextNode())
    for (let index = 0; index < texts.currentNode.length; index += 1) {
      const range = document.createRange();
      range.setStart(texts.currentNode, index);
      range.setEnd(texts.currentNode, index + 1);
      const top = Math.round(range.getBoundingClientRect().top);
      lines.set(top, (lines.get(top) ?? "") + range);
    }
  return [...lines.values()];
}"""


def test_today_shows_lessons_lunch_and_what_is_due(new_app: NewApp) -> None:
    app = new_app("elsa.nordvall", now=tuesday_at(10, 5))
    app.open()
    page = app.page
    lessons = page.get_by_role("region", name="Lessons").get_by_role("listitem")
    expect(lessons.first).to_be_visible()
    expect(lessons.filter(has_text="Now")).to_have_count(1)
    lunch = page.get_by_role("region", name="Lunch")
    expect(lunch.get_by_text("Panerad fisk, kall sås")).to_be_visible()
    due = page.get_by_role("region", name="Assignments and tests").get_by_role("link")
    expect(due.first).to_be_visible()
    # What lasts is in the lists of both weeks.
    links = [each.get_attribute("href") for each in due.all()]
    assert len(links) == len(set(links))
    days = [each.get_attribute("datetime") or "" for each in due.locator("time").all()]
    assert days == sorted(days)


def test_lessons_at_the_same_time_are_beside_each_other(new_app: NewApp) -> None:
    app = new_app("elsa.nordvall", now=tuesday_at(10, 5))
    app.open()
    page = app.page
    groups = page.get_by_role("list", name="3 at the same time").get_by_role("listitem")
    for size in (PHONE, DESKTOP):
        page.set_viewport_size(size)
        expect(groups).to_have_count(3)
        boxes = [group.bounding_box() for group in groups.all()]
        first, second = boxes[0], boxes[1]
        assert first is not None
        assert second is not None
        assert first["y"] == second["y"]
        assert first["x"] + first["width"] <= second["x"]
    for language in ("Spanska", "Tyska", "Franska"):
        expect(groups.filter(has_text=language)).to_have_count(1)


def test_an_assignment_is_shown_with_its_text(new_app: NewApp) -> None:
    app = new_app("elsa.nordvall", now=tuesday_at(10, 5))
    app.open()
    row = app.page.get_by_role("region", name="Assignments and tests").get_by_role("link").first
    title = row.locator(".row-title").inner_text()
    row.click()
    app.heading(title)
    expect(app.page.locator(".rich-text")).to_be_visible()
    assert app.page.locator(".rich-text img, .rich-text script").count() == 0


def test_a_text_of_a_teacher_keeps_its_tables_numbers_and_films(
    new_app: NewApp, simulator: Simulator
) -> None:
    simulator.state.settings.set("descriptions", "script")
    app = new_app("elsa.nordvall", now=tuesday_at(10, 5))
    app.open()
    app.page.get_by_role("region", name="Assignments and tests").get_by_role("link").first.click()
    text = app.page.locator(".rich-text")
    # The heading over two columns, and the column of each cell below it.
    heading, cell = text.get_by_text("Läxa"), text.get_by_text("4 p")
    expect(cell).to_be_visible()
    left = [each.evaluate("cell => cell.getBoundingClientRect().left") for each in (heading, cell)]
    assert left[0] == left[1]
    expect(text.locator("th", has_text="Nivå")).to_have_attribute("rowspan", "2")
    expect(text.locator("ol")).to_have_attribute("start", "3")
    film = text.get_by_role("link", name="film.mp4")
    expect(film).to_have_attribute("href", f"{simulator.url}/bjorkdalen/files/film.mp4")
    expect(text.get_by_role("link", name="Bråk")).to_have_attribute(
        "href", "https://film.example/embed/4"
    )


def test_a_plain_text_of_a_teacher_keeps_its_lines(new_app: NewApp, simulator: Simulator) -> None:
    simulator.state.settings.set("descriptions", "plain")
    app = new_app("elsa.nordvall", now=tuesday_at(10, 5))
    app.open()
    app.page.get_by_role("region", name="Assignments and tests").get_by_role("link").first.click()
    expect(app.page.locator(".rich-text")).to_be_visible()
    assert app.page.locator(".rich-text").inner_text() == "Läs kapitel 4.\nSvara på frågorna."


def test_the_other_pages_about_school(app: App) -> None:
    shown = {"News from school": "Studiedag", "Class list": "Amélie Berg", "Subjects": "Matematik"}
    app.open("/app/more")
    for link, text in shown.items():
        app.page.get_by_role("link", name="More").click()
        app.page.get_by_role("link", name=link).click()
        app.heading(link)
        expect(app.page.get_by_role("main").get_by_text(text).first).to_be_visible()
    app.page.get_by_role("link", name="Matematik").click()
    app.heading("Matematik")
    app.page.get_by_role("link", name="Läxförhör").first.click()
    expect(app.page.locator(".rich-text, .card").first).to_be_visible()


def test_the_class_list_finds_a_name_as_people_type_it(app: App) -> None:
    app.open("/app/class")
    rows = app.page.get_by_role("main").get_by_role("listitem")
    expect(rows.nth(9)).to_be_visible()
    find = app.page.get_by_role("searchbox", name="Find somebody")
    typed = {
        "akerblom": "Åkerblom",
        "celik": "Çelik",
        "d'angelo": "D’Angelo",
        "o’hara": "O'Hara",
        "muller-ohman": "Müller–Öhman",
        "berg  amélie": "Amélie Berg",
    }
    for text, name in typed.items():
        find.fill(text)
        expect(rows.filter(has_not_text=name)).to_have_count(0)
        expect(rows.filter(has_text=name).first).to_be_visible()
    find.fill("amelie nobody")
    expect(app.page.get_by_text("Nobody has that name.")).to_be_visible()


@pytest.mark.service_worker
def test_what_was_seen_is_readable_offline_and_says_how_old_it_is(new_app: NewApp) -> None:
    app = new_app("elsa.nordvall", now=tuesday_at(10, 5))
    app.expect_problems(*AWAY)
    app.open()
    lessons = app.page.get_by_role("region", name="Lessons")
    expect(lessons.get_by_role("listitem").first).to_be_visible()
    app.page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    app.wait_until(lambda: any(" lessons-" in name for _, name, _ in app.kept()))
    app.context.set_offline(True)
    app.page.reload()
    expect(lessons.get_by_role("listitem").first).to_be_visible()
    expect(app.page.get_by_text("You are offline.")).to_be_visible()
    expect(app.page.get_by_text("What you see was saved 10:05").first).to_be_visible()
    app.context.set_offline(False)
    expect(app.page.get_by_text("What you see was saved")).to_have_count(0)


def test_a_guardian_chooses_between_two_children_and_sees_whose_data_it_is(
    new_app: NewApp,
) -> None:
    app = new_app("eva.ek", now=tuesday_at(10, 5))
    app.open()
    page = app.page
    children = page.get_by_role("group", name="Choose a child").get_by_role("button")
    expect(children).to_have_count(2)
    expect(page.get_by_role("region", name="Lessons")).to_have_count(0)
    # The initials stand above the name.
    first, second = (each.splitlines()[-1] for each in children.all_inner_texts())
    for name in (first, second):
        with page.expect_response(lambda answer: "/api/schedule?" in answer.url) as answer:
            page.get_by_role("button", name=name).click()
        assert answer.value.json()["child"]["name"] == name
        shown = page.get_by_role("group", name="You see what belongs to")
        expect(shown.get_by_role("button", name=name)).to_have_attribute("aria-pressed", "true")
    page.reload()
    expect(page.get_by_role("button", name=second)).to_have_attribute("aria-pressed", "true")


def test_when_the_school_is_down_stale_data_says_so(new_app: NewApp, simulator: Simulator) -> None:
    app = new_app("elsa.nordvall", now=tuesday_at(10, 5))
    app.expect_refusal(503)
    app.open()
    lessons = app.page.get_by_role("region", name="Lessons")
    expect(lessons.get_by_role("listitem").first).to_be_visible()
    for operation in ("lessons", "session", "lunch", "assignments"):
        simulator.faults.set(operation, "500")
    # What it has is fresh for a second.
    wait_until(lambda: app.ask("/api/schedule?parallel=keep").get("stale"))
    app.page.reload()
    expect(lessons.get_by_role("listitem").first).to_be_visible()
    expect(app.page.get_by_text("What you see is from")).to_be_visible()


def test_a_fault_is_shown_with_what_the_operator_finds_in_the_log(
    new_app: NewApp, simulator: Simulator
) -> None:
    app = new_app("elsa.nordvall", now=tuesday_at(10, 5))
    app.expect_refusal(503)
    simulator.faults.set("news.page", "500")
    with app.page.expect_response("**/api/news/articles*") as answer:
        app.open("/app/news")
    reference = answer.value.headers["x-request-id"][:8]
    expect(app.page.get_by_role("alert")).to_contain_text(f"(Reference: {reference})")


def test_a_day_without_a_time_has_none(new_app: NewApp) -> None:
    """Their system writes it as midnight, in its own words too."""
    now = tuesday_at(10, 5)
    app = new_app("elsa.nordvall", now=now)
    answer = app.ask(f"/api/assignments/week?week={now.isocalendar().week}&year={now.year}")
    days = [("Collage", f"{now:%Y-%m-%d} 00:00"), ("Täljkniv", f"{now:%Y-%m-%d} 09:30")]
    answer["data"] = [
        answer["data"][0] | {"id": 990_000 + index, "title": title, "sortDate": day}
        for index, (title, day) in enumerate(days)
    ]
    app.page.route("**/api/assignments/week*", lambda route: route.fulfill(json=answer))
    app.open("/app/todo")
    due = app.page.get_by_role("listitem")
    expect(due.filter(has_text="Täljkniv").locator("time")).to_have_text("Today 09:30")
    expect(due.filter(has_text="Collage").locator("time")).to_have_text("Today ")
    # Of homework the school names no date but in a sentence.
    room = app.ask("/api/subjects")["subjects"][0]
    rows = app.ask(f"/api/subjects/{room['id']}")["assignments"]
    homework = next(each for each in rows if each["type"] == "Läxa")
    app.open(f"/app/assignments/{homework['id']}")
    app.heading(homework["title"])
    about = app.page.locator("main p.quiet").first
    expect(about).to_contain_text("08:20")
    expect(about).not_to_contain_text("00:00")


def test_a_long_address_goes_on_after_a_dot(app: App) -> None:
    app.page.set_viewport_size({"width": 320, "height": 740})
    app.open("/app/class")
    app.page.evaluate("document.documentElement.style.fontSize = '200%'")
    address = app.page.locator("a[href^=mailto]").first
    expect(address).to_be_visible()
    lines: list[str] = address.evaluate(_LINES)
    assert len(lines) > 1
    assert [each[-1] for each in lines[:-1] if each[-1] not in "@."] == []


@pytest.mark.parametrize("path", ["/app/staff", "/app/class"])
def test_who_cannot_be_reached_has_room_below_the_last_line(app: App, path: str) -> None:
    app.open(path)
    rows = app.page.get_by_role("main").get_by_role("listitem")
    without = rows.filter(has_not=app.page.get_by_role("link")).first
    room: float = without.evaluate(_ROOM_BELOW)
    assert room >= 4
