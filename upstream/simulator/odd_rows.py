"""Rows that are harder to read: other prose, other dates, words that nobody knows."""

from typing import Any

Row = dict[str, Any]

UNKNOWN = {"submissionStatus": 3, "resultReportStatus": "ARCHIVED", "status": "POSTPONED"}
"""Instead of the known words."""

# Each takes the index of a row's own values; None in the list is a row that is no object.
_CHANGES: list[Row | None] = [
    {"subTitle": "Hand-in due tis 10 feb. 00:00, Hemläxa, Swedish"},
    {"subTitle": "Due 2026-02-10 00:00 | Hemläxa"},
    {"subTitle": ""},
    {"subTitle": "Grupparbete, Kemi, laboration"},
    {"subTitle": None, "title": None},
    {"sortDate": "2026-03-17"},
    {"sortDate": "2026-03-17T08:20:00"},
    {"sortDate": 1_773_732_000_000},
    {"sortDate": ""},
    {"sortDate": None},
    None,
    UNKNOWN,
    {"id": "text"},
]


def odd(rows: list[Row]) -> list[Any]:
    """As many rows as there are oddities, made of those that are there; the last has no id."""
    odd_ones: list[Any] = []
    for index, change in enumerate(_CHANGES):
        row = rows[index % len(rows)]
        if change is None:
            odd_ones.append(None)
        elif change.get("id") == "text":
            odd_ones.append(row | {"id": str(row["id"])})
        else:
            odd_ones.append(row | change)
    return [*odd_ones, {name: value for name, value in rows[0].items() if name != "id"}]


def unknown_words(row: Row) -> Row:
    """The row with unknown words where it has known ones."""
    return row | {name: value for name, value in UNKNOWN.items() if name in row}
