"""The records of the fault tests detect lost and duplicate messages."""

from typing import Any

import pytest

from tests.journeys.bookkeeping import Book, Findings

GOOD = [("0-0", 1), ("1-0", 2), ("0-1", 3)]


def findings(*readable: tuple[str, int]) -> Findings:
    book = Book()
    book.acknowledged = dict(GOOD)
    messages: list[dict[str, Any]] = [{"clientId": name, "seq": seq} for name, seq in readable]
    return book.audit(messages)


def test_the_acknowledged_messages_pass() -> None:
    assert findings(*GOOD) == Findings(3, 0, 0, 0, 0, 0)
    assert findings(*GOOD).good


@pytest.mark.parametrize(
    ("readable", "wrong"),
    [
        ([("0-0", 1), ("1-0", 2)], {"lost": 1}),
        ([("0-0", 1), ("1-0", 3), ("0-1", 4)], {"lost": 2, "gaps": 1}),
        ([*GOOD, ("0-1", 4)], {"lost": 1, "duplicates": 1}),
        ([("1-0", 2), ("0-0", 1), ("0-1", 3)], {"inversions": 1}),
    ],
)
def test_lost_and_duplicate_messages_are_found(
    readable: list[tuple[str, int]], wrong: dict[str, int]
) -> None:
    found = findings(*readable)
    assert not found.good
    for name in ("lost", "duplicates", "inversions", "gaps"):
        assert getattr(found, name) == wrong.get(name, 0), name


def test_reordered_messages_of_a_writer_are_found() -> None:
    book = Book()
    book.acknowledged = {"0-1": 1, "0-0": 2}
    messages = [{"clientId": "0-1", "seq": 1}, {"clientId": "0-0", "seq": 2}]
    assert book.audit(messages).inversions == 1
