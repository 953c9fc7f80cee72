"""The lines of an import file: strict JSON, one object each, after a header; and why one is
refused."""

import re
from collections.abc import Iterator
from typing import Any, BinaryIO

from rest_framework.exceptions import ValidationError

from accounts.errors import InvalidInput
from accounts.import_types import ImportRefused, ImportRow
from accounts.limits import IMPORT_DEPTH, IMPORT_ID_LENGTH, IMPORT_LINE_BYTES
from accounts.strict_json import InvalidJson, parse

VERSION = 1
UNKNOWN = "unknown"
_FIELD_NAME = re.compile(r"\w+", re.ASCII)


class NotAnImport(Exception):
    """The file does not begin with the header of an import that this version reads."""


def read_source(stream: BinaryIO) -> str:
    """The name of the other back end, from the first line. Raises: NotAnImport."""
    header = _parse(stream.readline(IMPORT_LINE_BYTES))
    if header is None or header.get("type") != "import":
        raise NotAnImport('The first line is not {"type": "import", ...}.')
    if header.get("version") != VERSION:
        raise NotAnImport(f"The version of the format is not {VERSION}.")
    source = header.get("source")
    if not _is_id(source):
        raise NotAnImport(f"`source` is not a text of 1 to {IMPORT_ID_LENGTH} characters.")
    return str(source)


def read_rows(stream: BinaryIO) -> Iterator[ImportRow]:
    """The objects in the lines after the header, without blank ones; a line that holds none is
    refused."""
    number = 1
    while raw := stream.readline(IMPORT_LINE_BYTES + 1):
        number += 1
        if len(raw) > IMPORT_LINE_BYTES and not raw.endswith(b"\n"):
            _skip_line(stream)
            most = f"The line has more than {IMPORT_LINE_BYTES} bytes."
            yield ImportRow(number, UNKNOWN, refused=ImportRefused(most))
        elif raw.strip():
            yield _read(number, raw)


def _read(number: int, raw: bytes) -> ImportRow:
    written = _parse(raw)
    if written is None:
        refused = ImportRefused("This is not a valid JSON object.")
        return ImportRow(number, UNKNOWN, refused=refused)
    kind, source_id = written.pop("type", None), written.pop("id", None)
    kind = kind if isinstance(kind, str) else UNKNOWN
    row = ImportRow(number, kind, written=written, size=len(raw))
    if not _is_id(source_id):
        row.refused = ImportRefused(f"`id` is not a text of 1 to {IMPORT_ID_LENGTH} characters.")
    else:
        row.id = str(source_id)
    return row


def _parse(raw: bytes) -> dict[str, Any] | None:
    try:
        return parse(raw, IMPORT_DEPTH)
    except InvalidJson:
        return None


def _is_id(value: object) -> bool:
    return isinstance(value, str) and 0 < len(value) <= IMPORT_ID_LENGTH


def _skip_line(stream: BinaryIO) -> None:
    while (raw := stream.readline(IMPORT_LINE_BYTES)) and not raw.endswith(b"\n"):
        pass


def sentence_of(error: ValidationError | InvalidInput) -> str:
    """All that is wrong with the fields, as one line: `title: This field is required.`"""
    wrong: Any = error.fields if isinstance(error, InvalidInput) else error.detail
    return " ".join(_sentences(wrong, ""))


def _sentences(wrong: Any, path: str) -> Iterator[str]:
    if isinstance(wrong, dict):
        for name, value in wrong.items():
            shown = name if _FIELD_NAME.fullmatch(str(name)) else repr(name)  # it may be anything
            yield from _sentences(value, f"{path}.{shown}" if path else str(shown))
    elif isinstance(wrong, list | tuple):
        for value in wrong:
            yield from _sentences(value, path)
    else:
        yield f"{path}: {wrong}"
