"""What the owner of a calendar feed calls it, and calendar programs with it."""

from typing import Any
from urllib.parse import urlsplit

import pytest

from tests.calendar_files import read_calendar
from tests.conftest import Caller
from tests.schoolproxy.family import ALVA, BO
from tests.schoolproxy.feeds import ADDRESS, new_feed, subscribed


def name_of(path: str) -> str:
    calendar = read_calendar(subscribed(path).content)
    assert str(calendar["X-WR-CALNAME"]) == str(calendar["NAME"])
    return str(calendar["NAME"])


def call(caller: Caller, name: Any, query: str = "") -> str:
    """Name the feed; its path, which stays."""
    answer = caller.post(f"{ADDRESS}{query}", {"name": name})
    assert answer.status_code == 200, answer.content
    assert answer.json()["name"] == (name or None)
    return urlsplit(str(answer.json()["url"])).path


def test_it_is_named_and_keeps_address_entries_and_choice(elsa: Caller) -> None:
    path = new_feed(elsa)
    assert elsa.get(ADDRESS).json()["name"] is None
    assert name_of(path) == "Schema"
    before = subscribed(path)
    assert call(elsa, "Elsas vecka; 8C, å ä ö") == path
    assert name_of(path) == "Elsas vecka; 8C, å ä ö"
    assert subscribed(path).headers["ETag"] != before.headers["ETag"]
    answer = elsa.post(ADDRESS, {"include": ["lessons"]}).json()
    assert (answer["name"], answer["include"]) == ("Elsas vecka; 8C, å ä ö", ["lessons"])
    again = elsa.post(ADDRESS)
    assert (again.status_code, again.json()["name"]) == (201, "Elsas vecka; 8C, å ä ö")
    assert elsa.get(ADDRESS).json()["include"] == ["lessons"]


@pytest.mark.parametrize("name", ["", None])
def test_without_a_name_it_has_ours(elsa: Caller, name: str | None) -> None:
    path = new_feed(elsa)
    call(elsa, "Elsa")
    call(elsa, name)
    assert name_of(path) == "Schema"


def test_a_feed_is_made_with_a_name(elsa: Caller) -> None:
    answer = elsa.post(ADDRESS, {"name": "Elsa", "include": ["lessons"]})
    assert (answer.status_code, answer.json()["name"]) == (201, "Elsa")
    assert name_of(urlsplit(answer.json()["url"]).path) == "Elsa"


@pytest.mark.parametrize("name", ["x" * 61, 7, ["a"], "two\nlines", "a\u202eb", "bell\x07b"])
def test_a_name_is_a_short_line(elsa: Caller, name: Any) -> None:
    path = new_feed(elsa)
    answer = elsa.post(ADDRESS, {"name": name})
    assert answer.status_code == 400
    assert list(answer.json()["fields"]) == ["name"]
    assert name_of(path) == "Schema"


def test_each_child_has_its_own(eva: Caller) -> None:
    paths = {}
    for child, name in ((BO, "Bos skola"), (ALVA, "")):
        made = eva.post(f"{ADDRESS}?child={child}", {"name": name})
        assert made.status_code == 201
        paths[child] = urlsplit(made.json()["url"]).path
    assert name_of(paths[BO]) == "Bos skola"
    assert name_of(paths[ALVA]) == "Schema: Alva Lind"
