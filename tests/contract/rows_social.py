"""People and conversations."""

from tests.contract.matrix import Row

ROWS: dict[str, list[Row]] = {}
