"""Which fields are wrong: one flat mapping of sentences, whoever found them."""

from collections.abc import Iterator, Mapping
from typing import Any

from rest_framework.exceptions import ValidationError

from accounts.errors import InvalidInput


def fields_of(exception: BaseException) -> dict[str, list[str]]:
    """The sentences for each wrong field; nested names are joined with dots."""
    if isinstance(exception, InvalidInput):
        return exception.fields
    if not isinstance(exception, ValidationError):
        return {}
    fields: dict[str, list[str]] = {}
    for name, sentence in _sentences(exception.detail, ""):
        fields.setdefault(name or "body", []).append(sentence)
    return fields


def _sentences(detail: Any, name: str) -> Iterator[tuple[str, str]]:
    if isinstance(detail, Mapping):
        for key, value in detail.items():
            inner = name if key == "non_field_errors" else f"{name}.{key}".lstrip(".")
            yield from _sentences(value, inner)
    elif isinstance(detail, list | tuple):
        for value in detail:
            yield from _sentences(value, name)
    else:
        yield name, str(detail)
