"""Every page fits narrow screens, large text and fingers: nothing runs off the screen, no word of
usual length is broken into letters, and no button is small."""

import re
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Route, expect

from tests.browser.conftest import NEEDS_CHROMIUM
from tests.conftest import Caller
from tests.webapp.chats import follow_link
from tests.webapp.full_app import fill
from tests.webapp.people import AWAY, PHONE, App, NewApp, tuesday_at
from tests.webapp.test_accessibility import OF_A_PUPIL

pytestmark = NEEDS_CHROMIUM

# Width in pixels, and the size of text in per cent.
SCREENS = [(320, 100), (360, 100), (390, 100), (320, 150), (360, 200), (320, 200)]
# What does not fit: whatever begins or ends outside the window, unless it can be scrolled to inside
# the page; and words of up to ten letters on two lines.
_TROUBLE = r"""() => {
  const found = [];
  const width = document.documentElement.clientWidth;
  const isScrolled = (element) => {
    for (let each = element; each && each !== document.body; each = each.parentElement)
      if (/auto|scroll|hidden|clip/.test(getComputedStyle(each).overflowX)) return true;
    return false;
  };
  const about = (element) => `${element.tagName}.${element.className} ${element.textContent}`;
  for (const each of document.querySelectorAll("main *, nav *")) {
    const { left, right, width: own } = each.getBoundingClientRect();
    if (own > 1 && (right > width + 1 || left < -1) && !isScrolled(each.parentElement))
      found.push(`off the screen: ${about(each).slice(0, 60)}`);
  }
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const { currentNode: text } = texts;
    if (!text.parentElement.checkVisibility() || text.parentElement.closest(".visually-hidden"))
      continue;
    const words = text.data.matchAll(/(?<![^\s("”])\p{L}{2,10}(?![^\s,.:!?)"”])/gu);
    for (const { index, 0: word } of words) {
      const range = document.createRange();
      range.setStart(text, index);
      range.setEnd(text, index + word.length);
      const lines = new Set([...range.getClientRects()].map((each) => Math.round(each.top)));
      if (lines.size > 1) found.push(`broken: ${about(text.parentElement)}`.slice(0, 80));
    }
  }
  return [...new Set(found)];
}"""

# What a finger has to hit and is smaller than 44 pixels; links within a text may be.
_SMALL = r"""() => {
  const found = [];
  const of = "a, button, input, select, textarea, summary, [role=button]";
  for (const each of document.querySelectorAll(`main :is(${of}), nav :is(${of})`)) {
    if (!each.checkVisibility() || each.closest(".rich-text, .visually-hidden")) continue;
    const text = each.closest("p");
    if (text && text.textContent.trim() !== each.textContent.trim() && !text.matches(".contacts"))
      continue;
    const { width, height } = (each.closest("label, .check") ?? each).getBoundingClientRect();
    const around = getComputedStyle(each, "::before");
    const more = around.position === "absolute" ? parseFloat(around.top) : 0;
    if (width < 43.5 || height - 2 * more < 43.5)
      found.push(`${each.outerHTML.slice(0, 80)} ${width} ${height}`);
  }
  return found;
}"""

# How far things have moved that were on the screen (CLS).
_SHIFT = """window.shift = 0;
new PerformanceObserver((list) => {
  for (const { value } of list.getEntries()) window.shift += value;
}).observe({ type: "layout-shift", buffered: true });"""


@pytest.mark.service_worker
def test_every_page_fits_narrow_screens_and_large_text(
    new_app: NewApp, friends: tuple[Caller, Caller]
) -> None:
    addresses = fill(*friends)
    app = new_app("elsa.nordvall", language="sv", now=tuesday_at(10, 5))
    page = app.page
    app.open("/app/more")
    app.heading("Mer")
    trouble: list[Any] = []
    for route, shown in OF_A_PUPIL.items():
        follow_link(page, addresses.get(route, route))
        expect(page.locator("h1")).to_be_focused()
        expect(page.locator(shown).first).to_be_visible()
        expect(page.locator(".skeleton")).to_have_count(0)
        for width, text in SCREENS:
            page.set_viewport_size({"width": width, "height": 740})
            page.evaluate("size => document.documentElement.style.fontSize = `${size}%`", text)
            trouble += [(route, width, text, each) for each in page.evaluate(_TROUBLE)]
            if text == 100:
                trouble += [(route, width, "small", each) for each in page.evaluate(_SMALL)]
        page.evaluate("document.documentElement.style.fontSize = ''")
    assert trouble == [], trouble


def test_offline_the_composer_is_above_the_tabs(elsa: App, dm: str) -> None:
    page = elsa.page
    elsa.expect_problems(*AWAY)
    elsa.open(f"/app/chats/{dm}")
    field, tabs = page.get_by_role("textbox", name="Message"), page.get_by_role("navigation")
    expect(field).to_be_visible()
    elsa.context.set_offline(True)
    expect(page.get_by_text("You are offline.")).to_be_visible()
    composer, bar = field.bounding_box(), tabs.bounding_box()
    assert composer is not None
    assert bar is not None
    assert composer["y"] + composer["height"] <= bar["y"]
    assert bar["y"] + bar["height"] <= PHONE["height"]


def test_a_week_that_comes_slowly_moves_nothing(new_app: NewApp) -> None:
    app = new_app("elsa.nordvall", now=tuesday_at(10, 5))
    page = app.page
    waiting: dict[str, Route] = {}

    def hold(route: Route) -> None:
        waiting[urlsplit(route.request.url).path] = route

    def answer(path: str, shown: str) -> None:
        app.wait_until(lambda: path in waiting)
        with page.expect_response(f"**{path}?*"):
            waiting[path].continue_()
        expect(page.locator(shown).first).to_be_visible()

    page.route(re.compile("/api/(schedule|lunch|assignments|exams|attendance)"), hold)
    page.add_init_script(_SHIFT)
    app.open("/app/week")
    answer("/api/assignments/week", ".skeleton")
    answer("/api/schedule", ".day .slot")
    answer("/api/lunch", ".day .lunch")
    answer("/api/attendance", ".day .slot")
    answer("/api/exams", ".day .slot")
    expect(page.locator(".rows a").first).to_be_attached()
    assert page.evaluate("window.shift") <= 0.02


def test_what_is_chosen_is_seen_without_colours_of_the_page(new_app: NewApp) -> None:
    app = new_app("elsa.nordvall", now=tuesday_at(10, 5), forced_colors="active")
    app.open("/app/news")
    app.heading("News from school")
    background = "each => getComputedStyle(each).backgroundColor"
    for kind, name, other in (("button", "Current", "Older"), ("link", "More", "Week")):
        chosen, free = (app.page.get_by_role(kind, name=each) for each in (name, other))  # type: ignore[arg-type]
        assert chosen.evaluate(background) != free.evaluate(background)
