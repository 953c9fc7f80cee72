"""The books of the fault tests must be able to say no."""

from typing import Any

import pytest

from tests.journeys.bookkeeping import Book, Findings

GOOD = [("0-0", 1), ("1-0", 2), ("0-1", 3)]


def findings(*readable: tuple[str, int]) -> Findings:
    book = Book()
    book.acknowledged = dict(GOOD)
    messages: list[dict[str, Any]] = [{"clientId": name, "seq": seq} for name, seq in readable]
    return book.audit(messages)


def test_what_is_as_acknowledged_is_good() -> None:
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
def test_what_is_not_is_found(readable: list[tuple[str, int]], wrong: dict[str, int]) -> None:
    found = findings(*readable)
    assert not found.good
    for name in ("lost", "duplicates", "inversions", "gaps"):
        assert getattr(found, name) == wrong.get(name, 0), name


def test_a_writer_whose_messages_change_places_is_found() -> None:
    book = Book()
    book.acknowledged = {"0-1": 1, "0-0": 2}
    messages = [{"clientId": "0-1", "seq": 1}, {"clientId": "0-0", "seq": 2}]
    assert book.audit(messages).inversions == 1
