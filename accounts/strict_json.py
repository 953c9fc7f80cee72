"""JSON from outside: of a body, or of a line in a file."""

from collections.abc import Iterator
from typing import Any

import orjson

MAX_DEPTH = 32
# orjson reads an integer beyond 64 bits as a float, which would change its value.
NUMBER_LIMIT = 2**63


class InvalidJson(Exception):
    """It is not valid JSON, or not JSON that this service accepts."""


class NestedTooDeep(InvalidJson):
    """Objects and lists are nested in more levels than this route accepts."""


def parse(body: bytes, depth: int = MAX_DEPTH) -> dict[str, Any]:
    """The JSON object in `body`, at most `depth` levels deep; a blank body is `{}`.

    Raises: InvalidJson if it is not JSON in UTF-8, contains NUL, a lone surrogate, NaN or a number
    beyond 64 bits, or is not an object; NestedTooDeep.
    """
    if not body.strip():
        return {}
    try:
        # Refuses NaN, lone surrogates, a byte order mark, and nesting beyond 1,024.
        document = orjson.loads(body)
    except orjson.JSONDecodeError:
        raise InvalidJson from None
    if not isinstance(document, dict):
        raise InvalidJson
    for value in scalars(document, depth):
        _check_plain(value)
    return document


def scalars(document: dict[str, Any], depth: int) -> Iterator[Any]:
    """The keys, texts, numbers and constants of a document.

    Walks level by level, not by recursion, which deep nesting could exhaust. Raises: NestedTooDeep
    if objects and lists are nested in more than `depth` levels.
    """
    level: list[Any] = [document]
    for _ in range(depth):
        below: list[Any] = []
        for value in level:
            if isinstance(value, dict):
                below.extend(value)
                below.extend(value.values())
            elif isinstance(value, list):
                below.extend(value)
            else:
                yield value
        level = below
        if not level:
            return
    for value in level:
        if isinstance(value, dict | list):
            raise NestedTooDeep
        yield value


def _check_plain(value: Any) -> None:
    if isinstance(value, str):
        if "\0" in value:
            raise InvalidJson
    elif isinstance(value, float):
        # A larger integer arrives as a float, rounded to the limit or beyond it.
        if not -NUMBER_LIMIT < value < NUMBER_LIMIT:
            raise InvalidJson
    elif isinstance(value, int) and value >= NUMBER_LIMIT:
        raise InvalidJson
