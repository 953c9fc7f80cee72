"""Lists and objects as upstream sends them: in several shapes, with things missing."""

import contextlib
import re
from typing import Any, Final

from upstream.errors import UpstreamInvalid

MAX_TEXT: Final = 200
_MAX_ID: Final = 2**63
# C0, DEL, C1, line and paragraph separators, and the marks that turn the direction of text.
_UNPRINTABLE: Final = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")


def read_rows(found: Any) -> list[dict[str, Any]]:
    """The objects of a list: a bare list, an object whose values are the rows, or nothing.

    What is no object among them is dropped. Where none of it is, the answer is of another kind:
    an error that came with 200 must not pass for an empty list.

    Raises: UpstreamInvalid for such an answer, for a number or a text.
    """
    rows = objects_in(found)
    if not rows and found:
        values = found.values() if isinstance(found, dict) else found
        if any(value is not None for value in values):
            raise UpstreamInvalid("rows without a row")
    return rows


def objects_in(found: Any) -> list[dict[str, Any]]:
    """The same, also where nothing in it is a row.

    Raises: UpstreamInvalid for a number or a text.
    """
    if found is None:
        return []
    if isinstance(found, dict):
        found = found.values()
    elif not isinstance(found, list):
        raise UpstreamInvalid("rows that are no list")
    return [row for row in found if isinstance(row, dict)]


def read_object(found: Any) -> dict[str, Any]:
    """An object; an empty one for an empty body.

    Raises: UpstreamInvalid for anything else.
    """
    if found is None:
        return {}
    if not isinstance(found, dict):
        raise UpstreamInvalid("an object that is none")
    return found


def whole_number(value: Any) -> int | None:
    """A whole number, or one written as text; None for anything else, also for true."""
    if isinstance(value, str) and value.isascii() and value.isdigit():
        with contextlib.suppress(ValueError):  # thousands of digits
            value = int(value)
    return value if type(value) is int and 0 <= value < _MAX_ID else None


def short_text(value: Any) -> str:
    """Trimmed text; empty for null, a missing field or another type.

    Over-long text is refused and not cut: a cut name is another name. So is text with control
    characters or marks that turn its direction.

    Raises: UpstreamInvalid.
    """
    if not isinstance(value, str):
        return ""
    trimmed: str = value.strip()
    if len(trimmed) > MAX_TEXT or _UNPRINTABLE.search(trimmed):
        raise UpstreamInvalid("a text that cannot be a name")
    return trimmed
