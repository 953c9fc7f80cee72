"""The lines of an import file: strict JSON, one object each, after a header; and why one is
refused."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, BinaryIO

from rest_framework.exceptions import ValidationError

from accounts.errors import InvalidInput
from accounts.import_types import ImportRefused
from accounts.limits import IMPORT_DEPTH, IMPORT_ID_LENGTH, IMPORT_LINE_BYTES
from accounts.strict_json import InvalidJson, parse

VERSION = 1
UNKNOWN = "unknown"
_FIELD_NAME = re.compile(r"\w+", re.ASCII)


class NotAnImport(Exception):
    """The file does not begin with the header of an import that this version reads."""


@dataclass(slots=True)
class Line:
    """A line with an object, or why it has none (`refused`)."""

    number: int
    kind: str = UNKNOWN
    id: str = ""
    fields: dict[str, Any] = field(default_factory=dict)
    refused: ImportRefused | None = None
    size: int = 0


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


def read_lines(stream: BinaryIO) -> Iterator[Line]:
    """The lines after the header, without blank ones."""
    number = 1
    while raw := stream.readline(IMPORT_LINE_BYTES + 1):
        number += 1
        if len(raw) > IMPORT_LINE_BYTES and not raw.endswith(b"\n"):
            _skip_line(stream)
            most = f"The line has more than {IMPORT_LINE_BYTES} bytes."
            yield Line(number, refused=ImportRefused(most))
        elif raw.strip():
            yield _read(number, raw)


def _read(number: int, raw: bytes) -> Line:
    fields = _parse(raw)
    if fields is None:
        return Line(number, refused=ImportRefused("This is not a valid JSON object."))
    kind, source_id = fields.pop("type", None), fields.pop("id", None)
    line = Line(number, kind if isinstance(kind, str) else UNKNOWN, "", fields, size=len(raw))
    if not _is_id(source_id):
        line.refused = ImportRefused(f"`id` is not a text of 1 to {IMPORT_ID_LENGTH} characters.")
    else:
        line.id = str(source_id)
    return line


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
