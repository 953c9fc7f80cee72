"""Everything about an account as one ZIP of JSON files and pictures."""

import json
import tempfile
import zipfile
from datetime import UTC, date, datetime
from typing import IO, Any
from uuid import UUID

from accounts.registry import personal_data

# A larger archive is written to disk instead of memory.
IN_MEMORY_BYTES = 4 * 1024 * 1024

README = """What this service keeps about you, as of {moment} (UTC).

Each file holds one kind of data; times are ISO 8601 in UTC. Your messages in encrypted groups are
here as they were sent: only your own devices can open them. What the school's own system keeps
about you is not here: ask your school.
"""


def export_account(account_id: int) -> IO[bytes]:
    """A ZIP file, open for reading at its start. The caller closes it, which deletes it.

    The apps are read one after another, so something that changes meanwhile may be in one file and
    not yet in another.
    """
    file = tempfile.SpooledTemporaryFile(max_size=IN_MEMORY_BYTES)  # noqa: SIM115
    moment = datetime.now(UTC).isoformat(timespec="seconds")
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("README.txt", README.format(moment=moment))
        for part in personal_data():
            for name, data in part.export(account_id):
                archive.writestr(name, data if isinstance(data, bytes) else _text(data))
    file.seek(0)
    return file


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
