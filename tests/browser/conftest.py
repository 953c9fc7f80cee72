"""A browser for the tests of a file, and windows in it."""

import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, Playwright, sync_playwright

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
# Where it is installed: the same pages without the windows around them. It cannot receive pushes.
HEADLESS_SHELL = shutil.which("chromium-headless-shell") or CHROMIUM
# Chromium prepares suggestions for its address bar in two processes for each window, which took two
# fifths of the work of opening a page. The rest repeats what Playwright turns off: the last list of
# two counts.
_WITHOUT = ",".join(
    [
        "WebUIOmniboxPopup",
        "WebUIOmniboxAimPopup",
        "AvoidCorsURLLoaderRestartOnRedirect",
        "AvoidUnnecessaryBeforeUnloadCheckSync",
        "DestroyProfileOnBrowserClose",
        "HttpsFirstBalancedModeAutoEnable",
        "HttpsUpgrades",
        "LensOverlay",
        "MediaRouter",
        "NetworkTimeServiceQuerying",
        "OptimizationHints",
        "PaintHolding",
        "PreconnectToSearch",
        "ThirdPartyStoragePartitioning",
    ]
)
NEEDS_CHROMIUM = [
    pytest.mark.browser,
    pytest.mark.skipif(CHROMIUM is None, reason="Chromium is missing"),
    # Playwright does not close the browser's pipes and profile.
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    # A page and a server run beside each other: in CI a failure counts when it comes twice. The
    # last lines of a run list what needed a second try, which is to be mended all the same.
    pytest.mark.flaky(reruns=1, condition="CI" in os.environ),
]


def watch(page: Page, problems: list[str]) -> Page:
    """Add errors and warnings of the page's console and failed requests to `problems`. A request
    that ends because the page is left has not failed."""
    page.on(
        "console", lambda m: problems.append(m.text) if m.type in {"error", "warning"} else None
    )
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.on(
        "requestfailed",
        lambda r: (
            problems.append(f"{r.url}: {r.failure}") if r.failure != "net::ERR_ABORTED" else None
        ),
    )
    return page


@pytest.fixture(scope="package")
def playwright() -> Iterator[Playwright]:
    """It runs an event loop in this thread, where Django refuses queries otherwise."""
    with pytest.MonkeyPatch.context() as patch, sync_playwright() as playwright:
        patch.setenv("DJANGO_ALLOW_ASYNC_UNSAFE", "1")
        yield playwright


def _launched(playwright: Playwright, program: str | None) -> Iterator[Browser]:
    browser = playwright.chromium.launch(
        executable_path=program, args=["--no-sandbox", f"--disable-features={_WITHOUT}"]
    )
    yield browser
    browser.close()


@pytest.fixture(scope="package")
def chromium(playwright: Playwright) -> Iterator[Browser]:
    yield from _launched(playwright, CHROMIUM)


@pytest.fixture(scope="package")
def headless_shell(playwright: Playwright) -> Iterator[Browser]:
    yield from _launched(playwright, HEADLESS_SHELL)


@pytest.fixture
def browser(request: pytest.FixtureRequest) -> Iterator[Browser]:
    """Without the windows of other tests. Tests marked `push` have the whole of Chromium."""
    whole = request.node.get_closest_marker("push") is not None
    browser: Browser = request.getfixturevalue("chromium" if whole else "headless_shell")
    yield browser
    for context in browser.contexts:
        context.close()


@pytest.fixture
def page(browser: Browser, request: pytest.FixtureRequest) -> Page:
    """A window of somebody who reads English, or the language that the test names."""
    return browser.new_context(locale=getattr(request, "param", "en-GB")).new_page()


@pytest.fixture
def problems(page: Page) -> list[str]:
    """Errors and warnings of the page's console, and its failed requests."""
    found: list[str] = []
    watch(page, found)
    return found


@pytest.fixture(scope="session")
def axe(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The script that `axe_checker.Checker` runs."""
    folder = tmp_path_factory.mktemp("axe")
    shutil.copytree(Path(__file__).parent / "axe", folder, dirs_exist_ok=True)
    command = ["npm", "ci", "--ignore-scripts", "--prefer-offline", "--no-audit"]
    subprocess.run(command, cwd=folder, check=True, capture_output=True, timeout=120)
    return (folder / "node_modules/axe-core/axe.min.js").read_text()
