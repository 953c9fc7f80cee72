"""Reads lists, objects, numbers and texts of upstream's JSON, which come in several forms."""

import contextlib
import re
from typing import Any, Final

from upstream.errors import UpstreamChanged, UpstreamInvalid

MAX_TEXT: Final = 200
_MAX_ID: Final = 2**63
# C0, DEL, C1, line and paragraph separators.
_CONTROL: Final = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029]")
# Marks that change the direction of text.
_DIRECTION: Final = re.compile("[\u202a-\u202e\u2066-\u2069]")


def read_rows(data: Any) -> list[dict[str, Any]]:
    """The objects of a list, of an object that has them as values, or of nothing.

    Values that are not objects are dropped, unless no object is left: an error sent with 200 must
    not be read as an empty list.

    Raises: UpstreamInvalid for values without any object, for a number or a text; UpstreamChanged
    for null, which is no list: whoever read it as one would lose what was there before.
    """
    rows = objects_in(data)
    if not rows and data:
        values = data.values() if isinstance(data, dict) else data
        if any(value is not None for value in values):
            raise UpstreamInvalid("rows without an object")
    return rows


def objects_in(data: Any) -> list[dict[str, Any]]:
    """Like `read_rows`, but values without any object give an empty list."""
    if data is None:
        raise UpstreamChanged("null in place of rows")
    if data == "":  # an empty body
        return []
    if isinstance(data, dict):
        data = data.values()
    elif not isinstance(data, list):
        raise UpstreamInvalid("rows that are not a list")
    return [row for row in data if isinstance(row, dict)]


def read_object(data: Any) -> dict[str, Any]:
    """An object; an empty one for an empty body or null. Raises: UpstreamInvalid otherwise."""
    if data is None or data == "":
        return {}
    if not isinstance(data, dict):
        raise UpstreamInvalid("not an object")
    return data


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
    text = login_name(value)
    if _DIRECTION.search(text):
        raise UpstreamInvalid("a text with marks that change its direction")
    return text


def login_name(value: Any) -> str:
    """As `short_text`, but with the marks that change the direction of text: somebody whose user
    name has one must be able to sign in."""
    if not isinstance(value, str):
        return ""
    trimmed: str = value.strip()
    if len(trimmed) > MAX_TEXT or _CONTROL.search(trimmed):
        raise UpstreamInvalid("a text that is too long or not printable")
    return trimmed


def text_of(value: Any) -> str | None:
    """Trimmed text for people; None for an empty one, null, a missing field or another type."""
    return value.strip() or None if isinstance(value, str) else None


def subject_of(subjects: Any) -> str | None:
    """The names in `subjects_of`, separated by commas; None where there is none."""
    return ", ".join(subjects_of(subjects)) or None


def subjects_of(subjects: Any) -> list[str]:
    """The names in upstream's `[{name, color}]`, a list of names or one name, each once."""
    rows = subjects if isinstance(subjects, list) else [subjects]
    names = [text_of(row.get("name") if isinstance(row, dict) else row) for row in rows]
    return list(dict.fromkeys(name for name in names if name))


def is_number(value: Any) -> bool:
    """Whether this is a number, with or without decimals; `true` is none."""
    return isinstance(value, int | float) and not isinstance(value, bool)
