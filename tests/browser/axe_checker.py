"""axe finds nothing to object to on a page, in both themes and on both widths."""

import shutil
from typing import Any, Literal

import pytest
from playwright.sync_api import Page

from tests.browser import staff
from tests.browser.conftest import NEEDS_CHROMIUM

# The rules of WCAG 2.2 A and AA, and what its authors advise.
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
# A theme changes colours only. All the rules take four times as long.
CHECKS: dict[Literal["light", "dark"], Any] = {
    "light": {"runOnly": RULES, "rules": {"target-size": {"enabled": True}}},
    "dark": {"runOnly": {"type": "rule", "values": ["color-contrast"]}},
}
FIND = """options => axe.run(document, {preload: false, ...options})
  .then(found => found.violations.flatMap(rule =>
  rule.nodes.map(node => [rule.id, ...node.target, node.failureSummary].join(" | "))))"""
# The site fades from one colour to another when the theme changes.
FADED = "Promise.allSettled(document.getAnimations().map(each => each.finished)).then(() => true)"
NEEDS_AXE = [
    *NEEDS_CHROMIUM,
    pytest.mark.node,
    pytest.mark.skipif(shutil.which("npm") is None, reason="npm is missing"),
]
IN_BOTH_LANGUAGES = pytest.mark.parametrize("page", ["en-GB", "sv-SE"], indirect=True)


class Checker:
    """Runs axe on a page in both themes and on both widths, and collects what it finds.

    Of a page that is checked in both languages, each language has one theme on one width, and the
    other theme on the other, so that the two of them have all four. `alone`: this language has all.
    """

    def __init__(self, page: Page, axe: str, height: int = 800, *, alone: bool = False) -> None:
        self.page = page
        self.axe = axe
        self.height = height
        self.found: list[str] = []
        swedish = page.evaluate("navigator.language").startswith("sv")
        self._other_half = None if alone else int(swedish)

    def check(self, name: str) -> None:
        if not self.page.evaluate("'axe' in window"):
            self.page.evaluate(self.axe)
        for column, width in enumerate(staff.SIZES):
            self.page.set_viewport_size({"width": width, "height": self.height})
            for row, (scheme, options) in enumerate(CHECKS.items()):
                if (row + column) % 2 == self._other_half:
                    continue
                self.page.emulate_media(color_scheme=scheme)
                self.page.evaluate(FADED)
                objections: list[Any] = self.page.evaluate(FIND, options)
                self.found += [f"{name}, {scheme}, {width}: {each}" for each in objections]
                if not staff.fits(self.page, width):
                    self.found.append(f"{name}, {scheme}, {width}: too wide")
