"""The result of a check."""

from dataclasses import dataclass
from typing import Literal

State = Literal["ok", "warn", "fail"]


@dataclass(frozen=True, slots=True)
class Finding:
    """One line of the table; `hint` says how to fix it."""

    check: str
    state: State
    what: str
    hint: str = ""


def ok(check: str, what: str) -> Finding:
    return Finding(check, "ok", what)


def warn(check: str, what: str, hint: str = "") -> Finding:
    return Finding(check, "warn", what, hint)


def fail(check: str, what: str, hint: str = "") -> Finding:
    return Finding(check, "fail", what, hint)
