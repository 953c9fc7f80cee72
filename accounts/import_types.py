"""The types of the objects in an import file, which the apps declare in their `contributions`."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rest_framework.serializers import Serializer

# What a line refers to: the kind of the other object, and its id in the source.
Reference = tuple[str, str]


class ImportRefused(Exception):
    """Why an object of an import is refused, as a sentence for the operator. `too_old`: it is older
    than anything that the service keeps."""

    def __init__(self, reason: str, *, too_old: bool = False) -> None:
        super().__init__(reason)
        self.reason = reason
        self.too_old = too_old


@dataclass(slots=True)
class ImportRow:
    """One object of an import: `fields` as the kind's serializer returned them from what was
    `written` in the line, and `targets`, what the objects that it refers to have become here.

    `key` is the hash under which it is kept, `source` one of the name of the other back end. A
    reference to an earlier row of the same batch is not in `targets`.

    The kind sets `target`, which says what it has become (the id of an account or of a
    conversation, the id of a message), or `refused`; both, where later runs must not try it again.
    `found`: it was here already.
    """

    line: int
    kind: str
    id: str = ""
    written: dict[str, Any] = field(default_factory=dict)
    size: int = 0
    fields: dict[str, Any] = field(default_factory=dict)
    key: str = ""
    source: str = ""
    targets: dict[Reference, str] = field(default_factory=dict)
    target: str | None = None
    found: bool = False
    refused: ImportRefused | None = None

    def person(self, source_id: str) -> int:
        """The account of a person to whom the row refers."""
        return int(self.targets["person", source_id])


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportKind:
    """A kind of object in the file of `import_data`.

    `save` gets at most `batch` rows with lines that follow each other, and runs in a transaction
    that holds the locks of all accounts to which they refer (`references`), none of which is being
    erased. Nobody is told by an event. `optional` are references that are left out where the person
    was erased.
    """

    name: str
    serializer: "type[Serializer[Any]]"
    save: Callable[[Sequence[ImportRow]], None]
    references: Callable[[Mapping[str, Any]], Iterable[Reference]] = lambda _fields: ()
    optional: Callable[[Mapping[str, Any]], Iterable[Reference]] = lambda _fields: ()
    batch: int = 100
