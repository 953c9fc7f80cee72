"""The result of a check."""

from dataclasses import dataclass, field
from functools import partial
from typing import Literal

State = Literal["ok", "warn", "fail"]


@dataclass(frozen=True, slots=True)
class Finding:
    """One line of the table; `hint` says how to fix it. The runner sets the name of the check."""

    check: str = field(default="", kw_only=True)
    state: State
    what: str
    hint: str = ""


ok = partial(Finding, "ok")
warn = partial(Finding, "warn")
fail = partial(Finding, "fail")
