"""Everything about an account as one ZIP of JSON files and pictures."""

import json
import zipfile
from collections.abc import Iterator
from datetime import UTC, date, datetime
from typing import Any
from uuid import UUID

from accounts.registry import personal_data

README = """What this service keeps about you, as of {moment} (UTC).

Each file holds one kind of data; times are ISO 8601 in UTC. Your messages in encrypted groups are
here as they were sent: only your own devices can open them. What the school's own system keeps
about you is not here: ask your school.
"""


class _Pieces:
    """What `zipfile` has written and nobody has taken yet. It cannot seek, so `zipfile` never goes
    back to what was sent."""

    def __init__(self) -> None:
        self._pieces: list[bytes] = []

    def write(self, data: bytes) -> int:
        self._pieces.append(bytes(data))
        return len(data)

    def flush(self) -> None:
        """Does nothing: `take` empties it."""

    def take(self) -> bytes:
        taken, self._pieces = b"".join(self._pieces), []
        return taken


def export_account(account_id: int) -> Iterator[bytes]:
    """A ZIP file in pieces, one for each file in it, so that no more is held in memory.

    The apps are read one after another, so something that changes meanwhile may be in one file and
    not yet in another.
    """
    pieces = _Pieces()
    moment = datetime.now(UTC).isoformat(timespec="seconds")
    with zipfile.ZipFile(pieces, "w", zipfile.ZIP_DEFLATED) as archive:  # type: ignore[call-overload]
        archive.writestr("README.txt", README.format(moment=moment))
        yield pieces.take()
        for part in personal_data():
            for name, data in part.export(account_id):
                archive.writestr(name, data if isinstance(data, bytes) else _text(data))
                yield pieces.take()
    yield pieces.take()


def _text(data: Any) -> str:
    return json.dumps(data, ensure_ascii=False, indent=2, default=_plain) + "\n"


def _plain(value: Any) -> str:
    if isinstance(value, datetime):
        return value.astimezone(UTC).isoformat()
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, UUID):
        return value.hex
    raise TypeError(f"{type(value).__name__} has no form in JSON")
