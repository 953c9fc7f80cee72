"""The browser that the tests of the web app have."""

from tests.browser.conftest import browser, chromium

# Here, not in the file that uses them: in a file they would last until the end of the run, and
# Playwright can run only once in a process.
__all__ = ["browser", "chromium"]
