"""Why fields are refused, as one line of text."""

import re
from collections.abc import Iterator
from typing import Any

from rest_framework.exceptions import ValidationError

from accounts.errors import InvalidInput

_NAME = re.compile(r"\w+", re.ASCII)


def sentence_of(error: ValidationError | InvalidInput) -> str:
    """All that is wrong: `title: This field is required.`"""
    wrong: Any = error.fields if isinstance(error, InvalidInput) else error.detail
    return " ".join(_sentences(wrong, ""))


def _sentences(wrong: Any, path: str) -> Iterator[str]:
    if isinstance(wrong, dict):
        for name, value in wrong.items():
            shown = name if _NAME.fullmatch(str(name)) else repr(name)  # it may be anything
            yield from _sentences(value, f"{path}.{shown}" if path else str(shown))
    elif isinstance(wrong, list | tuple):
        for value in wrong:
            yield from _sentences(value, path)
    else:
        yield f"{path}: {wrong}"
