"""Reads lists, objects, numbers and texts of upstream's JSON, which come in several forms."""

import contextlib
import re
from typing import Any, Final

from upstream.errors import UpstreamInvalid

MAX_TEXT: Final = 200
_MAX_ID: Final = 2**63
# C0, DEL, C1, line and paragraph separators, and marks that change the direction of text.
_UNPRINTABLE: Final = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")


def read_rows(found: Any) -> list[dict[str, Any]]:
    """The objects of a list, of an object that has them as values, or of nothing.

    Values that are not objects are dropped, unless no object is left: an error sent with 200 must
    not be read as an empty list.

    Raises: UpstreamInvalid for values without any object, for a number or a text.
    """
    rows = objects_in(found)
    if not rows and found:
        values = found.values() if isinstance(found, dict) else found
        if any(value is not None for value in values):
            raise UpstreamInvalid("rows without an object")
    return rows


def objects_in(found: Any) -> list[dict[str, Any]]:
    """Like `read_rows`, but values without any object give an empty list."""
    if found is None:
        return []
    if isinstance(found, dict):
        found = found.values()
    elif not isinstance(found, list):
        raise UpstreamInvalid("rows that are not a list")
    return [row for row in found if isinstance(row, dict)]


def read_object(found: Any) -> dict[str, Any]:
    """An object; an empty one for an empty body. Raises: UpstreamInvalid for anything else."""
    if found is None:
        return {}
    if not isinstance(found, dict):
        raise UpstreamInvalid("not an object")
    return found


def whole_number(value: Any) -> int | None:
    """A whole number, also from text; None for anything else, including `true`."""
    if isinstance(value, str) and value.isascii() and value.isdigit():
        with contextlib.suppress(ValueError):  # thousands of digits
            value = int(value)
    return value if type(value) is int and 0 <= value < _MAX_ID else None


def short_text(value: Any) -> str:
    """Trimmed text; empty for null, a missing field or another type.

    Raises: UpstreamInvalid for text that is too long (a cut name would be another name), or that
    has control characters or marks that change the direction of text.
    """
    if not isinstance(value, str):
        return ""
    trimmed: str = value.strip()
    if len(trimmed) > MAX_TEXT or _UNPRINTABLE.search(trimmed):
        raise UpstreamInvalid("a text that is too long or not printable")
    return trimmed
