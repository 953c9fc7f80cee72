"""A page, taken apart by a parser that is not ours."""

import requests
from bs4 import BeautifulSoup, Tag


def read(answer: requests.Response) -> BeautifulSoup:
    """The page, decoded as the bytes really are."""
    assert answer.status_code == 200
    return BeautifulSoup(answer.content.decode("cp1252"), "lxml")


def one(page: Tag, selector: str) -> Tag:
    """The first that fits; a test that asks for one expects it."""
    found = page.select_one(selector)
    assert found is not None, selector
    return found


def text_of(element: Tag) -> str:
    """With single blanks."""
    return " ".join(element.get_text().split())
