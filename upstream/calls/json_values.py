"""Lists and objects as upstream sends them: in several shapes, with things missing."""

from typing import Any

from upstream.errors import UpstreamInvalid


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
