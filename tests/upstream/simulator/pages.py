"""Pages, parsed without our own parsers."""

import requests
from bs4 import BeautifulSoup, Tag


def read(answer: requests.Response) -> BeautifulSoup:
    """The page, decoded as windows-1252."""
    assert answer.status_code == 200
    return BeautifulSoup(answer.content.decode("cp1252"), "lxml")


def one(page: Tag, selector: str) -> Tag:
    """The first element that matches, which must exist."""
    found = page.select_one(selector)
    assert found is not None, selector
    return found


def text_of(element: Tag) -> str:
    """The text, with single blanks."""
    return " ".join(element.get_text().split())
