"""What is kept of a person: the form of the data map, and where its parts are.

Each app says in its `data_map.py` what every column of its tables is, how to write a person's own
data down, and how to remove it; `PERSONAL_DATA` in the settings names those parts, because no app
may know its siblings. A column that no map lists fails a test.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.conf import settings
from django.utils.module_loading import import_string

# A file of the export: its name, and JSON-able data or the bytes themselves.
Document = tuple[str, Any]


@dataclass(frozen=True, slots=True)
class Table:
    """One table. Every column stands in one of the three lists, by its name in the model.

    `personal` are written into an export, `withheld` are personal too and are not, each with the
    reason, `technical` say nothing about anyone: numbers, links between rows, states.
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


def _nothing(account_id: int) -> Iterator[Document]:
    del account_id
    yield from ()


def _leave(account_id: int) -> None:
    del account_id


@dataclass(frozen=True, slots=True)
class PersonalData:
    """One app's part. `erase` is safe to run again, and after being killed half-way."""

    tables: Sequence[Table]
    export: Callable[[int], Iterator[Document]] = _nothing
    erase: Callable[[int], None] = _leave


def parts() -> list[PersonalData]:
    """The parts of all apps, in the order of the settings: accounts come last in an erasure."""
    return [import_string(name) for name in settings.PERSONAL_DATA]
