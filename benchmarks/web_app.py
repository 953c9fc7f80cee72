"""`python -m benchmarks.web_app [URL]`: how soon the web app shows something on a slow phone.

Chromium with a processor that is slowed down four times opens the app of a running demo, as
somebody who has used it before, and as somebody who opens it for the first time on a slow mobile
line (the one of Lighthouse: 150 ms, 1.6 Mbit/s). Nothing else may run on the machine.
"""

import argparse
import shutil
import statistics

from playwright.sync_api import BrowserContext, CDPSession, Page, ViewportSize, sync_playwright

PHONE: ViewportSize = {"width": 360, "height": 740}
# Milliseconds, and the sum of layout shifts.
LCP_LIMIT, CLS_LIMIT = 1500, 0.02
SLOWER = 4
# Milliseconds in which something may still move.
AFTERWARDS = 1500
OBSERVE = """(() => {
  window.lcp = 0;
  window.cls = 0;
  const observe = (type, take) => new PerformanceObserver(list => list.getEntries().forEach(take))
    .observe({ type, buffered: true });
  observe("largest-contentful-paint", entry => (window.lcp = entry.startTime));
  observe("layout-shift", entry => (window.cls += entry.hadRecentInput ? 0 : entry.value));
})()"""


def sign_in(page: Page, url: str) -> None:
    """As Elsa of the demo; waits until the service worker has kept the files of the app."""
    page.goto(f"{url}/app/")
    page.get_by_role("combobox").fill("Björkdal")
    page.get_by_role("option").first.click()
    page.locator("[name=username]").fill("elsa.nordvall")
    page.locator("[name=password]").fill("elsa-demo")
    page.locator("form button").click()
    page.locator(".countdown").first.wait_for()
    page.evaluate("navigator.serviceWorker.ready.then(() => true)")


def returning(context: BrowserContext) -> Page:
    """A new page of a browser that has used the app."""
    page = context.new_page()
    slow_down(page)
    return page


def first_visit(context: BrowserContext) -> Page:
    """A page of a browser that has only the cookies, on a slow line."""
    browser = context.browser
    assert browser
    page = browser.new_context(viewport=PHONE, storage_state=context.storage_state()).new_page()
    line = {"downloadThroughput": 1.6e6 / 8, "uploadThroughput": 750e3 / 8}
    slow_down(page).send(
        "Network.emulateNetworkConditions", {"offline": False, "latency": 150} | line
    )
    return page


def slow_down(page: Page) -> CDPSession:
    devtools = page.context.new_cdp_session(page)
    devtools.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    devtools.send("Network.enable")
    page.add_init_script(OBSERVE)
    return devtools


def measure(page: Page, url: str) -> tuple[float, float]:
    """When the largest part was painted, and how far things moved."""
    page.goto(f"{url}/app/")
    page.locator(".countdown").first.wait_for()
    page.wait_for_timeout(AFTERWARDS)
    lcp, cls = page.evaluate("[window.lcp, window.cls]")
    page.close()
    return lcp, cls


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("url", nargs="?", default="http://127.0.0.1:8000")
    parser.add_argument("--times", type=int, default=7)
    arguments = parser.parse_args()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox"]
        )
        context = browser.new_context(viewport=PHONE)
        sign_in(context.new_page(), arguments.url)
        print(f"{'':12} {'LCP ms p50':>12} {'worst':>8} {'of limit':>9} {'CLS':>7} {'of limit':>9}")
        for name, open_page in (("returning", returning), ("first visit", first_visit)):
            seen = [measure(open_page(context), arguments.url) for _ in range(arguments.times)]
            lcp, cls = statistics.median(one[0] for one in seen), max(one[1] for one in seen)
            worst = max(one[0] for one in seen)
            print(
                f"{name:12} {lcp:12.0f} {worst:8.0f} {lcp / LCP_LIMIT:9.2f} {cls:7.3f}"
                f" {cls / CLS_LIMIT:9.2f}"
            )
        browser.close()


if __name__ == "__main__":
    main()
