"""A conversation in the web app, and the way to it."""

from playwright.sync_api import Locator, Page

_FOLLOW_LINK = """address => {
  document.activeElement.blur();
  const link = document.body.appendChild(document.createElement("a"));
  link.href = address;
  link.click();
  link.remove();
}"""


def follow_link(page: Page, address: str) -> None:
    """Go to another page of the app without loading it again."""
    page.evaluate(_FOLLOW_LINK, address)


def write(page: Page, text: str) -> None:
    page.get_by_role("textbox", name="Message").fill(text)
    page.get_by_role("button", name="Send").click()


def bubble(page: Page, text: str) -> Locator:
    return page.get_by_role("log").get_by_role("listitem").filter(has_text=text)


def open_choices(page: Page, text: str) -> None:
    bubble(page, text).hover()
    bubble(page, text).get_by_role("button", name="More").click()
