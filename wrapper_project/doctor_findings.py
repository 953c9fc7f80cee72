"""What a check of `manage.py doctor` finds."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Literal


@dataclass(frozen=True, slots=True)
class Finding:
    """One line of the table; `hint` says what to do. `examine` sets the name of the check."""

    state: Literal["ok", "warn", "fail"]
    what: str
    hint: str = ""
    check: str = ""


Findings = Iterator[Finding]
ok, warn, fail = partial(Finding, "ok"), partial(Finding, "warn"), partial(Finding, "fail")
