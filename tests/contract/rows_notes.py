"""Notes, shared pages, countdowns, the layout."""

from tests.contract.matrix import Row

ROWS: dict[str, list[Row]] = {}
