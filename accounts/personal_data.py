"""The types of the data map: what is kept of a person, how it is exported and how it is erased.

Each app fills them in its `data_map.py`. A column that no map lists fails a test.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

# A column whose name in the API is not its own.
_OTHER_NAMES = {"target_at": "targetDate"}

# A file of the export: its name, and JSON-able data or the bytes themselves. An iterator, alone or
# as a value of an object, is written as a list, one item at a time.
Document = tuple[str, Any]


@dataclass(frozen=True, slots=True)
class Table:
    """One table. Every column is in exactly one of the three lists, by its name in the model.

    `personal` columns are exported. `withheld` columns are personal but not exported, each with the
    reason. `technical` columns say nothing about a person: numbers, links between rows, states.
    """

    model: str
    purpose: str
    retention: str
    erasure: str
    personal: Sequence[str] = ()
    withheld: Mapping[str, str] = field(default_factory=dict)
    technical: Sequence[str] = ()

    @property
    def columns(self) -> list[str]:
        return [*self.personal, *self.withheld, *self.technical]


def api_name(column: str) -> str:
    """The name that the API gives to a column: `displayName` for `display_name`."""
    first, *others = column.split("_")
    return _OTHER_NAMES.get(column) or "".join([first, *map(str.capitalize, others)])


def with_api_names(row: Mapping[str, Any]) -> dict[str, Any]:
    """A row of a table, as an export has it."""
    return {api_name(column): value for column, value in row.items()}


@dataclass(frozen=True, slots=True)
class PersonalData:
    """One app's part. `erase` can run again, also after it was killed half-way.

    `restore` takes the id of a new account and the hash of its person (`erased_people`). It runs in
    the transaction that creates the account, and applies what the app kept when an earlier account
    of the person was erased.
    """

    tables: Sequence[Table]
    export: Callable[[int], Iterator[Document]] = lambda _: iter(())
    erase: Callable[[int], None] = lambda _: None
    restore: Callable[[int, str], None] = lambda _account_id, _person_hash: None
