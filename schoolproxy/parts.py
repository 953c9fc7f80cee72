"""The parts of an answer that several calls brought, each a value or the error that it met."""

from typing import TypeVar

from upstream.errors import NotForThisRole, UpstreamError, UpstreamNotFound

T = TypeVar("T")


def needed(part: T | UpstreamError) -> T:
    """The part. Raises the error that it met."""
    if isinstance(part, UpstreamError):
        raise part
    return part


def extra(part: T | UpstreamError, empty: T) -> T:
    """The part; empty where upstream has none, or none for this person. Trouble is raised."""
    if isinstance(part, NotForThisRole | UpstreamNotFound):
        return empty
    return needed(part)
