"""What the watch keeps of assignments and news: enough to see that one is new or has changed."""

from collections.abc import Iterable
from hashlib import blake2b
from typing import Any, NamedTuple

from schoolproxy.services.watch.lessons import MAX_TEXT

MAX_ROWS = 300


class WatchedRow(NamedTuple):
    """An assignment or a news item. `said` is a digest of what counts as a change of it; `done`
    says that upstream reports its assessment as published."""

    id: str
    title: str
    said: str
    done: bool = False


def read_assignments(rows: Iterable[dict[str, Any]]) -> list[WatchedRow]:
    """The rows of a week that have an id and a title.

    A change is another title or time: the rest of a row is prose in the language of the session.
    Its assessment is there when the report of the result is published, whatever it says.
    """
    found: list[WatchedRow] = []
    for row in rows:
        number, title = _id(row.get("id")), _title(row.get("title"))
        if number and title:
            due = row.get("sortDate")
            said = _digest(title, due if isinstance(due, str) else "")
            done = row.get("resultReportStatus") == "PUBLISHED"
            found.append(WatchedRow(number, title, said, done))
    return found[:MAX_ROWS]


def read_news(items: Iterable[dict[str, Any]]) -> list[WatchedRow]:
    """The news by id, or by title where an item has no id."""
    found: list[WatchedRow] = []
    for item in items:
        title = _title(item.get("title"))
        if title:
            number = _id(item.get("id"))
            found.append(WatchedRow(number or f"title:{_digest(title)}", title, ""))
    return found[:MAX_ROWS]


def _id(value: Any) -> str:
    if isinstance(value, str):
        return value.strip()[:40]
    return str(value) if type(value) is int and abs(value) < 2**63 else ""


def _title(value: Any) -> str:
    if not isinstance(value, str):
        return ""
    return " ".join(value.split())[:MAX_TEXT].encode(errors="replace").decode()


def _digest(*parts: str) -> str:
    text = "\0".join(parts).encode(errors="replace")
    return blake2b(text, digest_size=12).hexdigest()
