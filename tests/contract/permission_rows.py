"""Who may do what: every URL name times every kind of caller, and the expected status.

The rows are in `permissions_*.py`. In a path or body, `{name}` is something that Elsa owns;
`elsas_objects.py` creates it when a row names it. Columns: nobody, Elsa (the owner), her friend Bo,
Alva (a stranger at the same school), Zoe of another school, and Elsa suspended.
"""

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
    """The same for everyone, and no session is looked at."""
    return Row(method, path, status, status, status, status, status, status, body)


def own(method: str, path: str, status: int = 200, body: dict[str, Any] | None = None) -> Row:
    """Everyone's own thing: a session is needed, and suspension shuts it."""
    return Row(method, path, 401, status, status, status, status, 403, body)


def elsas(method: str, path: str, status: int = 200, body: dict[str, Any] | None = None) -> Row:
    """Elsa's thing, which nobody else may know of."""
    return Row(method, path, 401, status, 404, 404, 404, 403, body)
