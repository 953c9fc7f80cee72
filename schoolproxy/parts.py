"""Reading the results of a fan-out (`upstream.fan_out.gather`): each is a value or an error."""

from typing import TypeVar

from upstream.errors import NotForThisRole, UpstreamError, UpstreamNotFound

T = TypeVar("T")


def value_or_raise(part: T | UpstreamError) -> T:
    """The value. Raises the error that stands there instead."""
    if isinstance(part, UpstreamError):
        raise part
    return part


def value_or_empty(part: T | UpstreamError, empty: T) -> T:
    """The value, or `empty` where upstream has none or refuses it. Raises any other error."""
    if isinstance(part, NotForThisRole | UpstreamNotFound):
        return empty
    return value_or_raise(part)
