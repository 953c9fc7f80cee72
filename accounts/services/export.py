"""Everything about an account as one ZIP of JSON files and pictures."""

import json
import time
import zipfile
from collections.abc import Iterator
from datetime import UTC, date, datetime
from typing import Any
from uuid import UUID

from accounts.database import release_database_connection
from accounts.errors import NotSignedIn
from accounts.models import Account
from accounts.registry import personal_data

PIECE_BYTES = 64 * 1024
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
        self.size = 0

    def write(self, data: bytes) -> int:
        self._pieces.append(bytes(data))
        self.size += len(data)
        return len(data)

    def flush(self) -> None:
        """Does nothing: `take` empties it."""

    def take(self) -> bytes:
        taken, self._pieces, self.size = b"".join(self._pieces), [], 0
        # A client that reads slowly holds no connection meanwhile.
        release_database_connection()
        return taken


def export_account(account_id: int) -> Iterator[bytes]:
    """A ZIP file in pieces, at least one for each file in it, so that no more is held in memory.

    The apps are read one after another, so something that changes meanwhile may be in one file and
    not yet in another.

    Raises: NotSignedIn, before the first piece, when the account was erased meanwhile.
    """
    if not Account.objects.filter(pk=account_id).exists():
        raise NotSignedIn
    return _pieces_of(account_id)


def _pieces_of(account_id: int) -> Iterator[bytes]:
    pieces = _Pieces()
    moment = datetime.now(UTC).isoformat(timespec="seconds")
    with zipfile.ZipFile(pieces, "w", zipfile.ZIP_DEFLATED) as archive:  # type: ignore[call-overload]
        archive.writestr("README.txt", README.format(moment=moment))
        yield pieces.take()
        for part in personal_data():
            for name, data in part.export(account_id):
                with archive.open(_entry(name), "w") as file:
                    for text in _texts(data):
                        file.write(text)
                        if pieces.size > PIECE_BYTES:
                            yield pieces.take()
                yield pieces.take()
    yield pieces.take()


def _entry(name: str) -> zipfile.ZipInfo:
    entry = zipfile.ZipInfo(name, time.localtime()[:6])
    entry.compress_type = zipfile.ZIP_DEFLATED
    return entry


def _texts(data: Any) -> Iterator[bytes]:
    if isinstance(data, bytes):
        yield data
        return
    for text in _json(data):
        yield text.encode()
    yield b"\n"


def _json(data: Any) -> Iterator[str]:
    """JSON in pieces: one for each item of an iterator."""
    if isinstance(data, Iterator):
        before = "[\n"
        for item in data:
            yield before + json.dumps(item, ensure_ascii=False, default=_plain)
            before = ",\n"
        yield "[]" if before.startswith("[") else "\n]"
    elif isinstance(data, dict):
        before = "{\n"
        for name, value in data.items():
            yield f"{before}{json.dumps(name)}: "
            yield from _json(value)
            before = ",\n"
        yield "{}" if before.startswith("{") else "\n}"
    else:
        yield json.dumps(data, ensure_ascii=False, indent=2, default=_plain)


def _plain(value: Any) -> str:
    if isinstance(value, datetime):
        return value.astimezone(UTC).isoformat()
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, UUID):
        return value.hex
    raise TypeError(f"{type(value).__name__} has no form in JSON")
