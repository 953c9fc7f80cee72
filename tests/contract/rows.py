"""A row of the permission matrix: one request and the status for each caller."""

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Row:
    """One request and the status for each caller."""

    method: str
    path: str
    nobody: int
    elsa: int
    friend: int
    stranger: int
    zoe: int
    suspended: int
    body: dict[str, Any] | None = None


def public(method: str, path: str, status: int = 200, body: dict[str, Any] | None = None) -> Row:
    """The same status for everyone, with or without a session."""
    return Row(method, path, status, status, status, status, status, status, body)


def own(method: str, path: str, status: int = 200, body: dict[str, Any] | None = None) -> Row:
    """Everyone has their own: needs a session of an account that is not suspended."""
    return Row(method, path, 401, status, status, status, status, 403, body)


def elsas(method: str, path: str, status: int = 200, body: dict[str, Any] | None = None) -> Row:
    """Only Elsa's: 404 for everyone else."""
    return Row(method, path, 401, status, 404, 404, 404, 403, body)
