"""What the school wrote: the list of articles, one of them, and its files."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import NEEDS_CHROMIUM
from tests.webapp.people import AWAY, App, NewApp, tuesday_at
from upstream.simulator.server import Simulator

pytestmark = NEEDS_CHROMIUM


def titles(app: App) -> list[str]:
    app.heading("News from school")
    rows = app.page.locator(".article-card strong")
    expect(rows.first).to_be_visible()
    return rows.all_inner_texts()


@pytest.mark.service_worker
def test_an_article_is_read_whole_and_its_files_are_shown_and_saved(
    new_app: NewApp, tmp_path: Path
) -> None:
    app = new_app("elsa.nordvall", now=tuesday_at(10, 5))
    app.expect_problems(*AWAY)
    app.open("/app/news")
    listed = app.ask("/api/news/articles")["articles"]
    assert titles(app) == [article["title"] for article in listed]
    article = next(
        whole
        for row in listed
        if row["hasAttachments"]
        and (whole := app.ask(f"/api/news/{row['id']}")["article"])["html"]
        and any(file["type"] == "pdf" for file in whole["attachments"])
    )
    page = app.page
    page.get_by_role("link").filter(has_text=article["title"]).first.click()
    app.heading(article["title"])
    expect(page.get_by_text(article["text"].splitlines()[0]).first).to_be_visible()
    pdf = next(file for file in article["attachments"] if file["type"] == "pdf")
    with page.expect_download() as download:
        page.get_by_role("link", name=f"Download {pdf['name']}").click()
    assert download.value.suggested_filename == pdf["name"]
    download.value.save_as(tmp_path / "file")
    assert (tmp_path / "file").read_bytes().startswith(b"%PDF-")
    show = page.get_by_role("link", name=f"Show {pdf['name']}")
    assert "inline=1" in str(show.get_attribute("href"))

    app.wait_until(lambda: any(" article-" in name for _, name, _ in app.kept()))
    app.page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    app.context.set_offline(True)
    page.reload()
    app.heading(article["title"])
    expect(page.get_by_text(article["text"].splitlines()[0]).first).to_be_visible()


def test_a_day_within_a_swedish_sentence_begins_small(new_app: NewApp) -> None:
    app = new_app("elsa.nordvall", now=tuesday_at(10, 5), language="sv")
    app.open("/app/news")
    app.page.locator(".article-card").first.click()
    expect(app.page.get_by_text(re.compile("Visas till [a-zåäö]+dag "))).to_be_visible()


def test_older_articles_are_a_click_away(new_app: NewApp) -> None:
    app = new_app("elsa.nordvall", now=tuesday_at(10, 5))
    app.open("/app/news")
    current = titles(app)
    page = app.page
    with page.expect_response("**/api/news/articles?type=older"):
        page.get_by_role("button", name="Older").click()
    expect(page.get_by_role("button", name="Older")).to_have_attribute("aria-pressed", "true")
    expect(page.get_by_role("link").filter(has_text=current[0])).to_have_count(0)
    assert set(titles(app)).isdisjoint(current)


def test_a_teacher_sees_the_news_of_the_start_page(new_app: NewApp) -> None:
    app = new_app("torbjörn.ekvik", now=tuesday_at(10, 5))
    app.open("/app/news")
    expect(app.page.get_by_role("heading", level=2).first).to_be_visible()


def test_messages_of_the_school_are_read_here_and_stay_unread_there(
    new_app: NewApp, simulator: Simulator
) -> None:
    simulator.state.settings.messages = 47
    app = new_app("elsa.nordvall", now=tuesday_at(10, 5))
    app.open("/app/more")
    page = app.page
    page.get_by_role("link", name="From school", exact=True).click()
    app.heading("From school")
    first = app.ask("/api/inbox")
    cards = page.locator(".article-card")
    expect(cards).to_have_count(len(first["messages"]))
    page.get_by_role("button", name="Show more").click()
    second = app.ask(f"/api/inbox?cursor={first['next']}")["messages"]
    expect(cards).to_have_count(len(first["messages"]) + len(second))
    message = next(row for row in first["messages"] if row["subject"] and row["unread"])
    whole = app.ask(f"/api/inbox/{message['id']}")["message"]
    cards.nth(first["messages"].index(message)).click()
    app.heading(message["subject"])
    expect(page.get_by_text(whole["text"].splitlines()[0]).first).to_be_visible()
    page.go_back()
    app.heading("From school")
    unread = sum(bool(row["unread"]) for row in first["messages"])
    expect(page.get_by_text("Unread", exact=True)).to_have_count(unread)


def test_a_guardian_reads_what_concerns_all_children_in_one_list(new_app: NewApp) -> None:
    app = new_app("eva.ek", now=tuesday_at(10, 5))
    app.open("/app/news")
    app.heading("News from school")
    page = app.page
    cards = page.locator(".article-card")
    for letter, tags in {"Klassbrev 8C": ["Bo Ek"], "Klassbrev 8B": ["Alva Lind"]}.items():
        expect(cards.filter(has_text=letter).locator(".tag")).to_have_text(tags)
    both = cards.filter(has_text="Bo Ek").filter(has_text="Alva Lind")
    expect(both.first).to_be_visible()
    page.get_by_role("searchbox").fill("klassbrev ALVA")
    expect(cards).to_have_count(1)
    page.get_by_role("searchbox").fill("nothing of it")
    expect(page.get_by_text("Nothing that is shown has these words.")).to_be_visible()
    page.get_by_role("searchbox").fill("klassbrev ALVA")
    cards.click()
    app.heading("Klassbrev 8B")
    at_school = page.get_by_role("link", name="Open at the school")
    assert str(at_school.get_attribute("href")).endswith("/right_student_news.jsp")
    app.open("/app/inbox")
    expect(cards.filter(has_text="Bo Ek").first).to_be_visible()
    expect(cards.filter(has_text="Alva Lind").first).to_be_visible()


def test_one_childs_list_is_shown_while_the_others_does_not_come(new_app: NewApp) -> None:
    app = new_app("eva.ek", now=tuesday_at(10, 5))
    app.expect_refusal(503)
    away = {"success": False, "error": "The school is away.", "code": "upstream_failing"}
    of_bo = re.compile("/api/inbox.*child=730217")
    app.page.route(of_bo, lambda route: route.fulfill(status=503, json=away))
    app.open("/app/inbox")
    expect(app.page.get_by_text("Bo Ek: The school is away.")).to_be_visible()
    expect(app.page.locator(".article-card").first).to_contain_text("Alva Lind")


def test_what_the_school_has_switched_off_is_not_in_the_menu(
    new_app: NewApp, simulator: Simulator
) -> None:
    simulator.state.switched_off = {"MESSAGES", "FILE"}
    app = new_app("elsa.nordvall", now=tuesday_at(10, 5))
    app.open("/app/more")
    links = app.page.get_by_role("main").get_by_role("link")
    names = {"News from school": 1, "Staff": 1, "From school": 0, "Files and links": 0}
    for name, count in names.items():
        expect(links.and_(app.page.get_by_role("link", name=name, exact=True))).to_have_count(count)


def test_the_twenty_that_were_opened_last_are_kept(new_app: NewApp, simulator: Simulator) -> None:
    simulator.state.settings.messages = 30
    simulator.state.settings.news_items = 30
    app = new_app("elsa.nordvall", now=tuesday_at(10, 5))
    app.open("/app/news")
    app.heading("News from school")
    articles = [each["id"] for each in app.ask("/api/news/articles")["articles"]][:13]
    messages = [each["id"] for each in app.ask("/api/inbox")["messages"]][:9]
    pages = [f"news/{each}" for each in articles] + [f"inbox/{each}" for each in messages]
    for path in pages:
        app.page.evaluate("path => { history.pushState(null, '', path); }", f"/app/{path}")
        app.page.evaluate("dispatchEvent(new PopStateEvent('popstate'))")
        number = path.partition("/")[2]
        app.wait_until(lambda number=number: number in opened(app))  # type: ignore[misc]
    assert opened(app) == {*articles[2:], *messages}


def opened(app: App) -> set[str]:
    """The numbers of the articles and messages that the device keeps."""
    found = (re.search(r" (?:article|inbox-message)-own-(\d+)$", name) for _, name, _ in app.kept())
    return {each[1] for each in found if each}


def test_staff_is_found_by_role_and_files_are_downloaded(new_app: NewApp) -> None:
    app = new_app("elsa.nordvall", now=tuesday_at(10, 5))
    app.expect_problems(*AWAY)
    app.open("/app/staff")
    app.heading("Staff")
    staff = app.ask("/api/school/staff")["staff"]
    rows = app.page.locator("main .rows > li")
    expect(rows).to_have_count(len(staff))
    one = next(each for each in staff if each["roles"])
    app.page.get_by_role("searchbox").fill(f"{one['roles'][0]} {one['lastName']}")
    expect(rows.first).to_contain_text(one["name"])
    app.open("/app/files")
    with app.page.expect_download() as download:
        app.page.locator(".file-row a[download]").first.click()
    assert download.value.suggested_filename
