"""The result of a check."""

from dataclasses import dataclass, field
from typing import Literal

State = Literal["ok", "warn", "fail"]


@dataclass(frozen=True, slots=True)
class Finding:
    """One line of the table; `hint` says how to fix it. The runner sets the name of the check."""

    check: str = field(default="", kw_only=True)
    state: State
    what: str
    hint: str = ""


def ok(what: str) -> Finding:
    return Finding("ok", what)


def warn(what: str, hint: str = "") -> Finding:
    return Finding("warn", what, hint)


def fail(what: str, hint: str = "") -> Finding:
    return Finding("fail", what, hint)
