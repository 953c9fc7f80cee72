"""Results and written assessments in the app."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import NEEDS_CHROMIUM
from tests.schoolproxy.family import ALVA, BO, NAMES
from tests.webapp.people import AWAY, App, NewApp, tuesday_at
from upstream.simulator.server import Simulator

pytestmark = NEEDS_CHROMIUM


def results_of(app: App, query: str = "") -> dict[str, dict[str, object]]:
    answer = app.ask(f"/api/results{query}")
    return {result["assignmentId"]: result for result in answer["results"]}


@pytest.mark.service_worker
def test_results_by_date_and_by_subject_and_without_a_network(new_app: NewApp) -> None:
    app = new_app("elsa.nordvall", now=tuesday_at(10, 5))
    app.expect_problems(*AWAY)
    app.open("/app/more")
    page = app.page
    page.get_by_role("link", name="Results", exact=True).click()
    app.heading("Results")
    results = results_of(app)
    cards = page.locator(".result-card")
    expect(cards).to_have_count(len(results))
    expect(cards.get_by_text("New", exact=True)).to_have_count(2)
    letter = next(each for each in results.values() if each["letter"])
    card = cards.filter(has=page.locator(f"a[href$='/{letter['assignmentId']}']"))
    expect(card.locator(".result-letter")).to_have_text(str(letter["letter"]))
    expect(card.get_by_text("Vi tar det på fredag.")).to_be_visible()
    expect(card.get_by_role("list", name="Levels").get_by_text("C", exact=True)).to_be_visible()
    page.get_by_role("button", name="By subject").click()
    subjects = page.locator("main section > h2").all_inner_texts()
    assert subjects == sorted(subjects)
    # A page shows one blank where the school has two.
    assert set(subjects) == {" ".join(str(each["subject"]).split()) for each in results.values()}
    card.get_by_role("link").click()
    app.heading(str(letter["title"]))
    result = page.get_by_role("region", name="Result")
    expect(result).to_contain_text("Vi tar det på fredag.")
    assert "<" not in result.inner_text()

    page.go_back()
    app.heading("Results")
    expect(cards).to_have_count(len(results))
    app.wait_until(lambda: any(" results-" in name for _, name, _ in app.kept()))
    page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    app.context.set_offline(True)
    page.reload()
    expect(cards).to_have_count(len(results))
    expect(page.get_by_text("What you see was saved")).to_be_visible()


def test_more_results_and_those_that_cannot_be_read(new_app: NewApp, simulator: Simulator) -> None:
    app = new_app("elsa.nordvall", now=tuesday_at(10, 5))
    first = app.ask("/api/results?limit=1")["results"][0]["assignmentId"]
    simulator.state.broken_assessments.add(int(first))
    app.open("/app/results")
    page = app.page
    cards = page.locator(".result-card")
    expect(cards.first).to_contain_text("What the teacher said cannot be read now.")
    shown = app.ask("/api/results")
    expect(cards).to_have_count(len(shown["results"]))
    page.get_by_role("button", name="Show more").click()
    everything = len(app.ask("/api/results?limit=50")["results"])
    expect(cards).to_have_count(everything)
    expect(page.get_by_role("button", name="Show more")).to_have_count(0)


def test_a_guardian_sees_the_results_of_all_children_and_opens_one(new_app: NewApp) -> None:
    app = new_app("eva.ek", now=tuesday_at(10, 5))
    app.open("/app/results")
    page = app.page
    cards = page.locator(".result-card")
    own = {child: results_of(app, f"?child={child}") for child in (BO, ALVA)}
    expect(cards).to_have_count(len(own[BO]) + len(own[ALVA]))
    for child, results in own.items():
        marked = cards.filter(has=page.get_by_text(NAMES[child], exact=True))
        expect(marked).to_have_count(len(results))
    number, result = next(iter(own[ALVA].items()))
    page.locator(f".result-card a[href$='/{number}']").click()
    app.heading(str(result["title"]))
    expect(page.get_by_role("button", name=NAMES[ALVA])).to_have_attribute("aria-pressed", "true")


def test_a_child_whose_results_cannot_be_read_hides_no_others(new_app: NewApp) -> None:
    app = new_app("eva.ek", now=tuesday_at(10, 5))
    app.expect_refusal(404)
    refusal = {"success": False, "error": "Not used here.", "code": "switched_off"}
    path = re.compile(rf"/api/results\?child={BO}")
    app.page.route(path, lambda route: route.fulfill(status=404, json=refusal))
    app.open("/app/results")
    expect(app.page.get_by_text("Bo Ek: Not used here.")).to_be_visible()
    cards = app.page.locator(".result-card")
    expect(cards).to_have_count(len(results_of(app, f"?child={ALVA}")))


def test_written_assessments(new_app: NewApp) -> None:
    app = new_app("elsa.nordvall", now=tuesday_at(10, 5), language="sv")
    app.open("/app/results")
    page = app.page
    page.get_by_role("link", name="Omdömen").click()
    app.heading("Omdömen")
    expect(page.get_by_role("heading", name="Åtgärder i svenska")).to_be_visible()
    expect(page.get_by_text("Varning från skolan")).to_have_count(1)
    page.get_by_role("link").filter(has_text="Varning från skolan").click()
    app.heading("Svenska & retorik")
    expect(page.get_by_text("Risk att inte nå målen i läsförståelse.")).to_be_visible()
    expect(page.get_by_text("Skriv varje dag.")).to_be_visible()
    expect(page.get_by_text("VT 25")).to_be_visible()


def test_levels_that_the_school_has_codes_for_are_said_in_words(new_app: NewApp) -> None:
    app = new_app("elsa.nordvall", now=tuesday_at(10, 5), language="sv")
    answer = app.ask("/api/results")
    first = answer["results"][0]
    levels = ["NOT_ASSESSED", "ON_THE_WAY", "HALF_DONE", "constructor", "C"]
    first["levels"] = [{"criterion": "Kemi", "level": level} for level in levels]
    first["review"] = "NOT_ASSESSED"
    app.page.route("**/api/results", lambda route: route.fulfill(json=answer))
    app.open("/app/results")
    shown = app.page.get_by_role("list", name="Nivåer").first.locator("strong")
    expect(shown).to_have_text(["Inte bedömt", "På väg", *levels[2:]])
    expect(app.page.locator(".result-review").first).to_contain_text("Inte bedömt")
    assert app.problems == []
