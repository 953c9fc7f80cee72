"""The values that the attributes of a note's document can have, and the other ways to write them.

Editors write the same value differently: a number as text, null for an attribute without a value, a
width in fractions of a pixel. What has a safe meaning is read, anything else is refused.
"""

import re
from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple
from urllib.parse import urlsplit

from notes.limits import MAX_LINK

# Characters that browsers remove before they read the scheme, and invisible ones.
_INVISIBLE: Final = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ufeff]")
_WEB: Final = re.compile(r"https?://[^/?#\\\s]", re.IGNORECASE)
_NUMBER: Final = re.compile(r"\d{1,9}(\.\d{1,9})?", re.ASCII)
_MAIL: Final = re.compile(r"mailto:[^\s]", re.IGNORECASE)


def is_safe_link(address: object) -> bool:
    """Whether a document may link to this: http or https with a host, or mailto. A relative address
    (`//host` too) means something else on each page that shows the note."""
    if not isinstance(address, str) or len(address) > MAX_LINK:
        return False
    if address != address.strip() or _INVISIBLE.search(address):
        return False
    if not _WEB.match(address):
        return _MAIL.match(address) is not None
    try:
        return bool(urlsplit(address).hostname)
    except ValueError:
        return False


class Values(NamedTuple):
    """The values of an attribute: `accepts` decides about one, `schema` describes them all.

    `read` makes one of another way to write it, such as 2 of "2", and returns all else unchanged.
    """

    accepts: Callable[[Any], bool]
    schema: Mapping[str, Any]
    name: str = ""  # of a component, for values that several kinds have
    read: Callable[[Any], Any] = lambda value: value


def _stripped(value: Any) -> Any:
    return value.strip() if isinstance(value, str) else value


def _as_text(value: Any) -> Any:
    """Numbers as text, as in `fontSize: 16`."""
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return str(value) if is_number else _stripped(value)


def _as_number(value: Any) -> Any:
    """A number that is written as text, or a whole one as 2.0."""
    if isinstance(value, str) and _NUMBER.fullmatch(value.strip()):
        value = float(value)
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _as_widths(value: Any) -> Any:
    """A list of whole numbers: of text like "120,80", as in HTML, of one number, of fractions."""
    if isinstance(value, str):
        value = value.split(",")
    widths = [_as_number(width) for width in (value if isinstance(value, list) else [value])]
    return [round(width) if isinstance(width, float) else width for width in widths]


def as_alignment(value: Any) -> Any:
    """A value of CSS's text-align, which some editors copy from pasted HTML."""
    if not isinstance(value, str):
        return value
    value = value.strip().lower().removeprefix("-webkit-")
    return None if value in ("auto", "inherit", "initial", "unset") else value


def as_target(value: Any) -> Any:
    """Null for the name of a window, which means nothing on another page."""
    return None if isinstance(value, str) else value


def integer(lowest: int, highest: int) -> Values:
    return Values(
        lambda value: (
            isinstance(value, int) and not isinstance(value, bool) and lowest <= value <= highest
        ),
        {"type": "integer", "minimum": lowest, "maximum": highest},
        read=_as_number,
    )


def one_of(*choices: str, read: Callable[[Any], Any], name: str = "") -> Values:
    """One of these, or null."""
    return Values(
        lambda value: value is None or (isinstance(value, str) and value in choices),
        {"oneOf": [{"type": "string", "enum": list(choices)}, {"type": "null"}]},
        name,
        read,
    )


def text(max_length: int) -> Values:
    return Values(
        lambda value: value is None or (isinstance(value, str) and len(value) <= max_length),
        {"type": ["string", "null"], "maxLength": max_length},
        read=_as_text,
    )


def pattern(pattern: re.Pattern[str]) -> Values:
    return Values(
        lambda value: value is None or (isinstance(value, str) and bool(pattern.fullmatch(value))),
        {"type": ["string", "null"], "pattern": f"^({pattern.pattern})$"},
        read=_as_text,
    )


def list_of(item: Values, *, most: int) -> Values:
    """Null, or a list in which a value may be null."""
    return Values(
        lambda value: (
            value is None
            or (
                isinstance(value, list)
                and len(value) <= most
                and all(element is None or item.accepts(element) for element in value)
            )
        ),
        {
            "type": ["array", "null"],
            "maxItems": most,
            "items": {**item.schema, "type": [item.schema["type"], "null"]},
        },
        read=_as_widths,
    )


# The name of a programming language, which becomes part of a class.
LANGUAGES: Final = pattern(re.compile(r"[\w+#.-]{1,32}|"))
COLOURS: Final = pattern(re.compile(r"[#\w(),.%/ -]{1,64}"))
TRUE_OR_FALSE: Final = Values(
    lambda value: isinstance(value, bool),
    {"type": "boolean"},
    read=lambda value: {"true": True, "false": False}.get(str(value).lower(), value),
)
ADDRESS: Final = Values(
    is_safe_link,
    {
        "type": "string",
        "maxLength": MAX_LINK,
        "description": "It begins with http://, https:// or mailto:.",
    },
    read=_stripped,
)


def is_language(value: Any) -> bool:
    return LANGUAGES.accepts(value)
