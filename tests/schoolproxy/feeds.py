"""Requests for a calendar feed, by its owner and by a calendar program."""

from typing import Any
from urllib.parse import urlsplit

from tests.calendar_files import read_calendar
from tests.conftest import Caller

ADDRESS = "/api/schedule/feed"
SIGNED_OUT = "Schemat kunde inte uppdateras; logga in igen"
UPSTREAM_AWAY = "Schemat kunde inte uppdateras; skolans system svarar inte"


def new_feed(caller: Caller) -> str:
    """Creates a feed for the caller and returns its path."""
    answer = caller.post(ADDRESS)
    assert answer.status_code == 201, answer.content
    return urlsplit(str(answer.json()["url"])).path


def subscribed(path: str, **headers: str) -> Any:
    """The answer to a calendar program, which sends no cookies and no token."""
    return Caller().get(path, **headers)


def events(answer: Any) -> list[Any]:
    """All entries, including notices."""
    assert answer.status_code == 200, answer.content
    return list(read_calendar(answer.content).walk("VEVENT"))


def titles(answer: Any) -> list[str]:
    """The titles of all entries, including notices."""
    return [str(event["SUMMARY"]) for event in events(answer)]


def lessons(answer: Any) -> set[str]:
    """The uids of the lessons."""
    return {uid for event in events(answer) if (uid := str(event["UID"])).endswith("@schedule")}


def notices(answer: Any) -> list[str]:
    """The titles of the notices about failures."""
    return [title for title in titles(answer) if title in (SIGNED_OUT, UPSTREAM_AWAY)]
